import { LRUCache } from 'lru-cache';
import { type Limits, Shares } from './shares.ts';

const LONG_MS = 1000;
/** Longer than a job waits for its next try. */
const EXPECTED_FOR_MS = 600_000;

/** Of one kind of job, in this process. */
export interface Bounds {
  /** How many run at once, without the long ones. */
  concurrency: number;
  /** How many run at once with those: what has run for over a second, and what others made expect that. */
  atMost: number;
  /** None below `concurrency`. A job is expected to be long when one was that had an id of these in common with it. */
  shares: Limits;
}

/** Does one job after the other, and looks for the next at once; where there is none, it sleeps. */
export interface Worker {
  /** Empty until it has begun. */
  id: string;
  isResting: boolean;
  /** It was told to end while it rested. It may have been taking a job then; that one it does. */
  isEnding: boolean;
}

/** The jobs of one kind that this process works on, and its workers for them. */
export class AtWork {
  readonly shares: Shares;
  readonly #bounds: Bounds;
  readonly #onLong: () => void;
  /** Who had a long job. Expected, it holds up nobody for a second first. */
  readonly #slow = new LRUCache<string, true>({ max: 10_000, ttl: EXPECTED_FOR_MS });
  readonly #workers = new Set<Worker>();
  #long = 0;

  /** `onLong`: there is one long job more, and so there may be one more worker. */
  constructor(bounds: Bounds, onLong: () => void) {
    this.shares = new Shares(bounds.shares);
    this.#bounds = bounds;
    this.#onLong = onLong;
  }

  async run(
    worker: Worker,
    data: Readonly<Record<string, string>>,
    work: () => Promise<void>,
  ): Promise<void> {
    this.#workers.add(worker);
    worker.isResting = false;
    const ids = this.shares.take(data);
    let isLong = false;
    const countAsLong = () => {
      if (isLong) return;
      isLong = true;
      this.#long++;
      this.#onLong();
    };
    if (ids.some((id) => this.#slow.has(id))) countAsLong();
    const timer = setTimeout(() => {
      for (const id of ids) this.#slow.set(id, true);
      countAsLong();
    }, LONG_MS);
    try {
      await work();
    } finally {
      clearTimeout(timer);
      if (isLong) this.#long--;
      this.shares.giveBack(ids);
      worker.isResting = true;
    }
  }

  /** @returns the one more that is to begin, if one is */
  join(): Worker | undefined {
    const { concurrency, atMost } = this.#bounds;
    if (this.#workers.size - this.#long >= concurrency || this.#workers.size >= atMost) return undefined;
    const worker = { id: '', isResting: false, isEnding: false };
    this.#workers.add(worker);
    return worker;
  }

  /**
   * When a worker has done its job. Rather than it, one that rests ends: nobody else would look for the next job of the
   * same conversation before they wake.
   * @returns who is to end, if one is
   */
  leave(worker: Worker): Worker | undefined {
    if (worker.isEnding) {
      this.#workers.delete(worker);
      return undefined;
    }
    if (this.#workers.size - this.#long <= this.#bounds.concurrency) return undefined;
    const ending = [...this.#workers].find((other) => other.isResting && other !== worker) ?? worker;
    ending.isEnding = true;
    this.#workers.delete(ending);
    return ending;
  }
}
