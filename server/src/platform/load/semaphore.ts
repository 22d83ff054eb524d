/** Who may wait for a semaphore. */
export interface WaitingLimit {
  maxWaiting: number;
  /** What each one more is refused with. */
  refusal: () => Error;
}

/** Does work by at most `permits` at once, in the order of the calls; 1 makes it one after the other. */
export class Semaphore {
  readonly #permits: number;
  readonly #limit: WaitingLimit | undefined;
  readonly #waiting: (() => void)[] = [];
  #held = 0;

  /** @param limit any number may wait where none is given */
  constructor(permits: number, limit?: WaitingLimit) {
    this.#permits = permits;
    this.#limit = limit;
  }

  /** Nobody works and nobody waits. */
  get isFree(): boolean {
    return this.#held === 0;
  }

  /** @param signal who is aborted while waiting waits no longer, and what it wanted is not done */
  async run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    if (this.#held < this.#permits) this.#held++;
    // Whoever finishes hands its permit over, so `#held` stays as it is.
    else await this.#wait(signal);
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#held--;
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

/** A semaphore for each key, which is kept while somebody works or waits. */
export class KeyedSemaphore {
  readonly #permits: number;
  readonly #limit: WaitingLimit;
  readonly #semaphores = new Map<string, Semaphore>();

  constructor(permits: number, limit: WaitingLimit) {
    this.#permits = permits;
    this.#limit = limit;
  }

  async run<T>(key: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const semaphore = this.#semaphores.get(key) ?? new Semaphore(this.#permits, this.#limit);
    this.#semaphores.set(key, semaphore);
    try {
      return await semaphore.run(work, signal);
    } finally {
      // Who left while waiting comes here late: by then the key may have another one, which somebody works by.
      if (semaphore.isFree && this.#semaphores.get(key) === semaphore) this.#semaphores.delete(key);
    }
  }
}

/**
 * Lets few work at once, few of them by one key. A key's turn comes after at most `ofOne` of each other one, because no
 * more of a key wait for those of all.
 */
export class FairSemaphore {
  readonly #ofKeys: KeyedSemaphore;
  readonly #ofAll: Semaphore;

  /** @param limit for each key */
  constructor({ ofOne, ofAll }: { ofOne: number; ofAll: number }, limit: WaitingLimit) {
    this.#ofKeys = new KeyedSemaphore(ofOne, limit);
    this.#ofAll = new Semaphore(ofAll);
  }

  run<T>(key: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.#ofKeys.run(key, () => this.#ofAll.run(work, signal), signal);
  }
}
