/** Limit for callers that wait for a permit. */
export interface WaitingLimit {
  maxWaiting: number;
  /** The error for a caller past the limit. */
  refusal: () => Error;
}

/** Runs at most `permits` pieces of work at once, in the order of the calls. */
export class Semaphore {
  #permits: number;
  readonly #limit: WaitingLimit | undefined;
  readonly #waiting: (() => void)[] = [];
  #held = 0;

  /** @param limit default: any number may wait */
  constructor(permits: number, limit?: WaitingLimit) {
    this.#permits = permits;
    this.#limit = limit;
  }

  /** True while nobody works or waits. */
  get isFree(): boolean {
    return this.#held === 0;
  }

  /** Changes the number of permits. Holders beyond a lower one keep theirs. */
  resize(permits: number): void {
    this.#permits = permits;
    this.#letIn();
  }

  /** @param signal a caller aborted while waiting leaves the queue, and its work is not done */
  async run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    if (this.#held < this.#permits) this.#held++;
    else await this.#wait(signal);
    try {
      return await work();
    } finally {
      this.#held--;
      this.#letIn();
    }
  }

  /** Counts each waiter as a holder at once, before another caller can take its permit. */
  #letIn(): void {
    while (this.#held < this.#permits) {
      const next = this.#waiting.shift();
      if (!next) return;
      this.#held++;
      next();
    }
  }

  #wait(signal: AbortSignal | undefined): Promise<void> {
    if (this.#limit && this.#waiting.length >= this.#limit.maxWaiting) throw this.#limit.refusal();
    return new Promise((resolve, reject) => {
      const go = () => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(go), 1);
        reject(signal?.reason as Error);
      };
      this.#waiting.push(go);
      signal?.addEventListener('abort', leave, { once: true });
    });
  }
}

/** A semaphore per key, kept while in use. */
export class KeyedSemaphore {
  readonly #permits: number;
  readonly #limit: WaitingLimit;
  readonly #semaphores = new Map<string, Semaphore>();

  constructor(permits: number, limit: WaitingLimit) {
    this.#permits = permits;
    this.#limit = limit;
  }

  /** @param permits of the key from now on, where it has other ones */
  async run<T>(
    key: string,
    work: () => Promise<T>,
    signal?: AbortSignal,
    permits = this.#permits,
  ): Promise<T> {
    const semaphore = this.#semaphores.get(key) ?? new Semaphore(permits, this.#limit);
    semaphore.resize(permits);
    this.#semaphores.set(key, semaphore);
    try {
      return await semaphore.run(work, signal);
    } finally {
      // An aborted caller arrives here late, when the key may have a new semaphore that is in use.
      if (semaphore.isFree && this.#semaphores.get(key) === semaphore) this.#semaphores.delete(key);
    }
  }
}

/**
 * Two-level semaphore: at most `ofOne` permits per key and `ofAll` in total. No key waits behind more than `ofOne` holders
 * of any other key.
 */
export class FairSemaphore {
  readonly #ofKeys: KeyedSemaphore;
  readonly #ofAll: Semaphore;

  /** @param limit for each key */
  constructor({ ofOne, ofAll }: { ofOne: number; ofAll: number }, limit: WaitingLimit) {
    this.#ofKeys = new KeyedSemaphore(ofOne, limit);
    this.#ofAll = new Semaphore(ofAll);
  }

  /** @param ofOne of the key from now on, where it has other ones */
  run<T>(key: string, work: () => Promise<T>, signal?: AbortSignal, ofOne?: number): Promise<T> {
    return this.#ofKeys.run(key, () => this.#ofAll.run(work, signal), signal, ofOne);
  }
}
