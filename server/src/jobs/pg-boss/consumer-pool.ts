import { LRUCache } from 'lru-cache';
import type { Bounds } from '../job-definition.ts';
import { Shares } from './shares.ts';

const LONG_MS = 1000;
/** Longer than a job waits for its next try. */
const EXPECTED_FOR_MS = 600_000;

/** Does one job after the other, and looks for the next at once; where there is none, it sleeps. pg-boss's "worker". */
export interface Consumer {
  /** Empty until it has begun. */
  id: string;
  isResting: boolean;
  /** It was told to end while it rested. It may have been taking a job then; that one it does. */
  isEnding: boolean;
}

/** This process's consumers of one kind of job: as many as its bounds and its long jobs let there be. */
export class ConsumerPool {
  readonly shares: Shares;
  readonly #bounds: Bounds;
  readonly #onLong: () => void;
  /** Who had a long job. Expected, it holds up nobody for a second first. */
  readonly #slow = new LRUCache<string, true>({ max: 10_000, ttl: EXPECTED_FOR_MS });
  readonly #consumers = new Set<Consumer>();
  #long = 0;

  /** `onLong`: there is one long job more, and so there may be one more consumer. */
  constructor(bounds: Bounds, onLong: () => void) {
    this.shares = new Shares(bounds.shares);
    this.#bounds = bounds;
    this.#onLong = onLong;
  }

  async run(
    consumer: Consumer,
    data: Readonly<Record<string, string>>,
    work: () => Promise<void>,
  ): Promise<void> {
    this.#consumers.add(consumer);
    consumer.isResting = false;
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
      consumer.isResting = true;
    }
  }

  /** @returns the one more that is to begin, if one is */
  join(): Consumer | undefined {
    const { concurrency, atMost } = this.#bounds;
    if (this.#consumers.size - this.#long >= concurrency || this.#consumers.size >= atMost) return undefined;
    const consumer = { id: '', isResting: false, isEnding: false };
    this.#consumers.add(consumer);
    return consumer;
  }

  /**
   * When a consumer has done its job. Rather than it, one that rests ends: nobody else would look for the next job of the
   * same conversation before they wake.
   * @returns who is to end, if one is
   */
  leave(consumer: Consumer): Consumer | undefined {
    if (consumer.isEnding) {
      this.#consumers.delete(consumer);
      return undefined;
    }
    if (this.#consumers.size - this.#long <= this.#bounds.concurrency) return undefined;
    const ending = [...this.#consumers].find((other) => other.isResting && other !== consumer) ?? consumer;
    ending.isEnding = true;
    this.#consumers.delete(ending);
    return ending;
  }
}
