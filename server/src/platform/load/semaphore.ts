/** How many callers hold a permit at once. */
export interface Permits {
  /** Callers of all keys together. */
  ofAll: number;
  /** Callers of one key. Default: all. */
  ofOne?: number;
  /** Work that takes longer goes on, but no longer counts: its permit is free. Default: all work counts to its end. */
  softTimeoutMs?: number;
}

/** Bounds for callers that wait for a permit. Without one, any number waits for any time. */
export interface WaitingLimit {
  /** Callers of one key beyond its permits. One more is refused. */
  maxWaiting?: number;
  /** Callers of all keys. For one more, the newest caller of the key with most of them is refused. */
  maxWaitingOfAll?: number;
  /** The longest wait of a caller. */
  waitMs?: number;
  /** The error for a refused caller. */
  refusal: () => Error;
}

/** Gives a permit back. A second call does nothing. */
export type Release = () => void;

interface Waiter {
  go: () => void;
  refuse: (error: unknown) => void;
}

/** The callers of one key. */
interface Line {
  readonly key: string;
  ofOne: number;
  held: number;
  readonly waiting: Waiter[];
}

/**
 * Gives out permits by key. While several keys wait, a free permit goes to the one that holds the fewest, and equal ones take
 * turns; so no key takes more than its share while others wait. Callers of one key go in the order of their calls.
 */
export class FairSemaphore {
  readonly #permits: Permits;
  readonly #limit: WaitingLimit | undefined;
  /** Lines of keys that hold a permit or wait for one. */
  readonly #lines = new Map<string, Line>();
  /** Lines that wait for nothing but a free permit, in the order of their turns. */
  readonly #ready = new Set<Line>();
  #held = 0;
  #waiting = 0;

  constructor(permits: Permits, limit?: WaitingLimit) {
    this.#permits = permits;
    this.#limit = limit;
  }

  /** Permits in use, and callers that wait for one. */
  get load(): { held: number; waiting: number } {
    return { held: this.#held, waiting: this.#waiting };
  }

  /**
   * Runs work with a permit of the key.
   * @param signal a caller aborted while waiting leaves the line, and its work is not done. @param ofOne see `acquire`
   */
  async run<T>(key: string, work: () => Promise<T>, signal?: AbortSignal, ofOne?: number): Promise<T> {
    const release = await this.acquire(key, signal, ofOne);
    const { softTimeoutMs } = this.#permits;
    const timer = softTimeoutMs === undefined ? undefined : setTimeout(release, softTimeoutMs);
    try {
      return await work();
    } finally {
      clearTimeout(timer);
      release();
    }
  }

  /**
   * Takes a permit of the key, which the caller has to give back. Rejects with the refusal of the limit, or the signal's reason.
   * @param ofOne the key's permits from now on, where it has other ones. Holders beyond a lower number keep theirs
   */
  acquire(
    key: string,
    signal?: AbortSignal,
    ofOne = this.#permits.ofOne ?? this.#permits.ofAll,
  ): Promise<Release> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const line = this.#lines.get(key) ?? { key, ofOne, held: 0, waiting: [] };
      this.#lines.set(key, line);
      line.ofOne = ofOne;
      let endWatch: (() => void) | undefined;
      const waiter: Waiter = {
        go: () => {
          endWatch?.();
          resolve(this.#releaseOf(line));
        },
        refuse: (error) => {
          endWatch?.();
          reject(error);
        },
      };
      line.waiting.push(waiter);
      this.#waiting++;
      this.#settle(line);
      this.#letIn();
      // A line is in the order of the calls: this one went if it is not the last.
      if (line.waiting.at(-1) !== waiter) return;
      endWatch = this.#watch(line, waiter, signal);
      this.#refuseSurplus(line);
    });
  }

  /** Ends a wait by the limit's time and by the signal. @returns stops watching */
  #watch(line: Line, waiter: Waiter, signal: AbortSignal | undefined): () => void {
    const leave = (error: unknown) => {
      this.#take(line, line.waiting.indexOf(waiter));
      waiter.refuse(error);
    };
    const { waitMs, refusal } = this.#limit ?? {};
    const timer = waitMs === undefined ? undefined : setTimeout(() => leave(refusal?.()), waitMs).unref();
    const abort = () => leave(signal?.reason);
    signal?.addEventListener('abort', abort, { once: true });
    return () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    };
  }

  #releaseOf(line: Line): Release {
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      line.held--;
      this.#held--;
      this.#settle(line);
      this.#letIn();
    };
  }

  /** Counts each waiter as a holder at once, before another caller can take its permit. */
  #letIn(): void {
    while (this.#held < this.#permits.ofAll) {
      const line = this.#next();
      if (!line) return;
      line.held++;
      this.#held++;
      // To the end of the order, where it is ready again.
      this.#ready.delete(line);
      this.#take(line, 0)?.go();
    }
  }

  /** The ready line that holds the fewest permits; of equal ones the first. */
  #next(): Line | undefined {
    let fewest: Line | undefined;
    for (const line of this.#ready) {
      if (!fewest || line.held < fewest.held) fewest = line;
      if (fewest.held === 0) break;
    }
    return fewest;
  }

  #refuseSurplus(line: Line): void {
    if (!this.#limit) return;
    const { maxWaiting = Infinity, maxWaitingOfAll = Infinity, refusal } = this.#limit;
    let longest = line;
    if (line.held + line.waiting.length <= line.ofOne + maxWaiting) {
      if (this.#waiting <= maxWaitingOfAll) return;
      for (const other of this.#lines.values()) {
        if (other.waiting.length > longest.waiting.length) longest = other;
      }
    }
    this.#take(longest, longest.waiting.length - 1)?.refuse(refusal());
  }

  /** Takes a waiter out of its line. */
  #take(line: Line, index: number): Waiter | undefined {
    const [waiter] = line.waiting.splice(index, 1);
    this.#waiting--;
    this.#settle(line);
    return waiter;
  }

  /** Keeps a line among those that it belongs to. */
  #settle(line: Line): void {
    const { key, held, ofOne, waiting } = line;
    if (waiting.length > 0 && held < ofOne) this.#ready.add(line);
    else this.#ready.delete(line);
    if (waiting.length === 0 && held === 0) this.#lines.delete(key);
  }
}

/** Runs at most `permits` pieces of work at once, in the order of the calls. */
export class Semaphore {
  readonly #permits: FairSemaphore;

  constructor(permits: number) {
    this.#permits = new FairSemaphore({ ofAll: permits });
  }

  /** True while nobody works. */
  get isFree(): boolean {
    return this.#permits.load.held === 0;
  }

  run<T>(work: () => Promise<T>): Promise<T> {
    return this.#permits.run('', work);
  }
}
