export interface Permits {
  /** In total. */
  ofAll: number;
  /** Per key. Default: `ofAll`. */
  ofOne?: number;
  /** After this time `run` releases the permit while the work continues. Default: never. */
  softTimeoutMs?: number;
}

/** Without it, callers wait without limits. */
export interface WaitingLimit {
  /** Waiting callers per key; further ones are refused. */
  maxWaiting?: number;
  /** Waiting callers in total; above it, the newest caller of the key with most of them is refused. */
  maxWaitingOfAll?: number;
  /** Timeout of a wait. */
  waitMs?: number;
  refusal: () => Error;
}

/** Idempotent. */
export type Release = () => void;

interface Waiter {
  go: () => void;
  refuse: (error: unknown) => void;
}

interface KeyQueue {
  readonly key: string;
  ofOne: number;
  held: number;
  readonly waiting: Waiter[];
}

/**
 * Two-level semaphore with fair shares: a free permit goes to the waiting key that holds the fewest, and equal ones
 * alternate. FIFO within a key.
 */
export class FairSemaphore {
  readonly #permits: Permits;
  readonly #limit: WaitingLimit | undefined;
  /** Keys that hold a permit or wait for one. */
  readonly #queues = new Map<string, KeyQueue>();
  /** Keys that wait only for a free permit, in order. */
  readonly #ready = new Set<KeyQueue>();
  #held = 0;
  #waiting = 0;

  constructor(permits: Permits, limit?: WaitingLimit) {
    this.#permits = permits;
    this.#limit = limit;
  }

  get load(): { held: number; waiting: number } {
    return { held: this.#held, waiting: this.#waiting };
  }

  /**
   * @param signal an abort while waiting leaves the queue without running the work
   * @param ofOne see `acquire`
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
   * The caller must release the permit. Rejects with the refusal of the limit or the signal's reason.
   * @param ofOne the key's new number of permits. Holders above a lower number keep theirs
   */
  acquire(
    key: string,
    signal?: AbortSignal,
    ofOne = this.#permits.ofOne ?? this.#permits.ofAll,
  ): Promise<Release> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const queue = this.#queues.get(key) ?? { key, ofOne, held: 0, waiting: [] };
      this.#queues.set(key, queue);
      queue.ofOne = ofOne;
      let endWatch: (() => void) | undefined;
      const waiter: Waiter = {
        go: () => {
          endWatch?.();
          resolve(this.#releaseOf(queue));
        },
        refuse: (error) => {
          endWatch?.();
          reject(error);
        },
      };
      queue.waiting.push(waiter);
      this.#waiting++;
      this.#update(queue);
      this.#grantPermits();
      // FIFO: unless it is the last, the waiter has got its permit.
      if (queue.waiting.at(-1) !== waiter) return;
      endWatch = this.#watch(queue, waiter, signal);
      this.#refuseSurplus(queue);
    });
  }

  /** Ends a wait by timeout or signal. @returns stop */
  #watch(queue: KeyQueue, waiter: Waiter, signal: AbortSignal | undefined): () => void {
    const leave = (error: unknown) => {
      this.#remove(queue, queue.waiting.indexOf(waiter));
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

  #releaseOf(queue: KeyQueue): Release {
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      queue.held--;
      this.#held--;
      this.#update(queue);
      this.#grantPermits();
    };
  }

  /** Counts a granted permit immediately, before another caller can take it. */
  #grantPermits(): void {
    while (this.#held < this.#permits.ofAll) {
      const queue = this.#next();
      if (!queue) return;
      queue.held++;
      this.#held++;
      // #remove appends it again if it is still ready.
      this.#ready.delete(queue);
      this.#remove(queue, 0)?.go();
    }
  }

  /** The ready key with the fewest permits; the first of equal ones. */
  #next(): KeyQueue | undefined {
    let fewest: KeyQueue | undefined;
    for (const queue of this.#ready) {
      if (!fewest || queue.held < fewest.held) fewest = queue;
      if (fewest.held === 0) break;
    }
    return fewest;
  }

  #refuseSurplus(queue: KeyQueue): void {
    if (!this.#limit) return;
    const { maxWaiting = Infinity, maxWaitingOfAll = Infinity, refusal } = this.#limit;
    let longest = queue;
    if (queue.held + queue.waiting.length <= queue.ofOne + maxWaiting) {
      if (this.#waiting <= maxWaitingOfAll) return;
      for (const other of this.#queues.values()) {
        if (other.waiting.length > longest.waiting.length) longest = other;
      }
    }
    this.#remove(longest, longest.waiting.length - 1)?.refuse(refusal());
  }

  #remove(queue: KeyQueue, index: number): Waiter | undefined {
    const [waiter] = queue.waiting.splice(index, 1);
    this.#waiting--;
    this.#update(queue);
    return waiter;
  }

  /** Updates #ready and #queues after a change. */
  #update(queue: KeyQueue): void {
    const { key, held, ofOne, waiting } = queue;
    if (waiting.length > 0 && held < ofOne) this.#ready.add(queue);
    else this.#ready.delete(queue);
    if (waiting.length === 0 && held === 0) this.#queues.delete(key);
  }
}

/** FIFO. */
export class Semaphore {
  readonly #permits: FairSemaphore;

  constructor(permits: number) {
    this.#permits = new FairSemaphore({ ofAll: permits });
  }

  get isFree(): boolean {
    return this.#permits.load.held === 0;
  }

  run<T>(work: () => Promise<T>): Promise<T> {
    return this.#permits.run('', work);
  }
}
