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

/** The jobs of one kind that this process works on, and how many workers it has for them. */
export class AtWork {
  readonly shares: Shares;
  readonly #bounds: Bounds;
  readonly #onLong: () => void;
  /** Who had a long job. Expected, it holds up nobody for a second first. */
  readonly #slow = new LRUCache<string, true>({ max: 10_000, ttl: EXPECTED_FOR_MS });
  #workers = 0;
  #long = 0;

  /** `onLong`: there is one long job more, and so there may be one more worker. */
  constructor(bounds: Bounds, onLong: () => void) {
    this.shares = new Shares(bounds.shares);
    this.#bounds = bounds;
    this.#onLong = onLong;
  }

  async run(data: Readonly<Record<string, string>>, work: () => Promise<void>): Promise<void> {
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
    }
  }

  /** @returns whether one more worker is to begin */
  join(): boolean {
    const { concurrency, atMost } = this.#bounds;
    if (this.#workers - this.#long >= concurrency || this.#workers >= atMost) return false;
    this.#workers++;
    return true;
  }

  /** @returns whether a worker that has done its job is to end */
  leave(): boolean {
    if (this.#workers - this.#long <= this.#bounds.concurrency) return false;
    this.#workers--;
    return true;
  }
}
