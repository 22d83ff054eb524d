import { availableParallelism } from 'node:os';
import type { Hasher } from '../domain/ports.ts';
import { ServiceError } from '../errors.ts';
import { type HashOrder, HashThread } from './hash-thread.ts';

/** One core stays free for requests and the database; more threads than this would hold much memory for little. */
const MAX_THREADS = 4;

/**
 * argon2id on threads of its own, so few and of so low a priority that a flood of verifications leaves the cores to
 * everything else (`npm run bench -- --workloads pins`). Further calls wait in a queue of bounded length, and past it
 * are refused with 429.
 */
export class Argon2Hasher implements Hasher {
  readonly #idle: HashThread[];
  readonly #maxWaiting: number;
  readonly #waiting: ((thread: HashThread) => void)[] = [];

  constructor({
    threads = Math.min(MAX_THREADS, Math.max(1, availableParallelism() - 1)),
    maxWaiting = 200,
  } = {}) {
    this.#idle = Array.from({ length: threads }, () => new HashThread());
    this.#maxWaiting = maxWaiting;
  }

  hash(plaintext: string): Promise<string> {
    return this.#run({ plaintext }) as Promise<string>;
  }

  verify(hashed: string, plaintext: string): Promise<boolean> {
    return this.#run({ plaintext, hashed }) as Promise<boolean>;
  }

  async #run(order: HashOrder): Promise<string | boolean> {
    const thread = this.#idle.pop() ?? (await this.#wait());
    try {
      return await thread.run(order);
    } finally {
      const next = this.#waiting.shift();
      if (next) next(thread);
      else this.#idle.push(thread);
    }
  }

  /** Whoever finishes hands its thread over. */
  #wait(): Promise<HashThread> {
    if (this.#waiting.length >= this.#maxWaiting) {
      throw new ServiceError('rate_limited', 'Too many verifications at once; try again', {
        'retry-after': '1',
      });
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}
