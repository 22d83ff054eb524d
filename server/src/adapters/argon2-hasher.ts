import { type Algorithm, hash, verify } from '@node-rs/argon2';
import type { Hasher } from '../domain/ports.ts';
import { ServiceError } from '../errors.ts';

/** argon2id (the library's 2). OWASP's and the contract's setting (section 5): 19 MiB, two passes, one lane. */
const PARAMETERS = { algorithm: 2 as Algorithm, memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 };

/**
 * argon2id on the thread pool, `concurrency` at once. More than that would starve everything else that uses the pool
 * (files, DNS), so further calls wait in a queue of bounded length, and past it are refused with 429.
 */
export class Argon2Hasher implements Hasher {
  readonly #concurrency: number;
  readonly #maxWaiting: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor({ concurrency = 2, maxWaiting = 200 } = {}) {
    this.#concurrency = concurrency;
    this.#maxWaiting = maxWaiting;
  }

  hash(plaintext: string): Promise<string> {
    return this.#bounded(() => hash(plaintext, PARAMETERS));
  }

  verify(hashed: string, plaintext: string): Promise<boolean> {
    return this.#bounded(() => verify(hashed, plaintext));
  }

  async #bounded<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#concurrency) {
      if (this.#waiting.length >= this.#maxWaiting) {
        throw new ServiceError('rate_limited', 'Too many verifications at once; try again', {
          'retry-after': '1',
        });
      }
      // Whoever finishes hands its place over, so `#running` stays as it is.
      await new Promise<void>((go) => this.#waiting.push(go));
    } else {
      this.#running++;
    }
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }
}
