import { availableParallelism } from 'node:os';
import type { Hasher, HashFor } from '../access/hasher.port.ts';
import { rateLimited, type ServiceError } from '../platform/errors.ts';
import { FairQueue } from './fair-queue.ts';
import { type HashJob, type HashResult, HashThread } from './hash-thread.ts';

/** One core stays free for requests and the database; more threads would cost memory and gain little. */
const MAX_THREADS = 4;

interface Waiting {
  start: (thread: HashThread) => void;
  refuse: (error: ServiceError) => void;
}

/**
 * argon2id on a few low-priority threads, so a flood of verifications leaves the cores to everything else
 * (`npm run bench -- --workloads pins`). Waiting calls take turns by tenant, or by address for logins. At most
 * `maxWaiting` calls of tenants and as many of addresses wait; beyond that, the longest line loses its last call (429).
 */
export class Argon2Hasher implements Hasher {
  readonly #idle: HashThread[];
  readonly #tenants: FairQueue<Waiting>;
  /** Every other turn, separate from tenants: anybody can log in, from any number of addresses. */
  readonly #addresses: FairQueue<Waiting>;
  #isTenantTurn = true;

  constructor({
    threads = Math.min(MAX_THREADS, Math.max(1, availableParallelism() - 1)),
    maxWaiting = 200,
  } = {}) {
    this.#idle = Array.from({ length: threads }, () => new HashThread());
    this.#tenants = new FairQueue(maxWaiting);
    this.#addresses = new FairQueue(maxWaiting);
  }

  hash(plaintext: string, owner: HashFor): Promise<string> {
    return this.#run({ plaintext }, owner) as Promise<string>;
  }

  verify(hashed: string, plaintext: string, owner: HashFor): Promise<boolean> {
    return this.#run({ plaintext, hashed }, owner) as Promise<boolean>;
  }

  verifyEach(hashed: readonly string[], plaintext: string, owner: HashFor): Promise<boolean[]> {
    return this.#run({ plaintext, hashed }, owner) as Promise<boolean[]>;
  }

  async #run(job: HashJob, owner: HashFor): Promise<HashResult> {
    const thread = this.#idle.pop() ?? (await this.#wait(owner));
    try {
      return await thread.run(job);
    } finally {
      const next = this.#next();
      if (next) next.start(thread);
      else this.#idle.push(thread);
    }
  }

  /** Resolves when a finished call hands its thread over. */
  #wait(owner: HashFor): Promise<HashThread> {
    return new Promise((start, refuse) => {
      const waiting = { start, refuse };
      const refused =
        'tenant_id' in owner
          ? this.#tenants.push(owner.tenant_id, waiting)
          : this.#addresses.push(owner.address, waiting);
      refused?.refuse(rateLimited(1, 'Too many verifications at once; try again'));
    });
  }

  #next(): Waiting | undefined {
    const [first, second] = this.#isTenantTurn
      ? [this.#tenants, this.#addresses]
      : [this.#addresses, this.#tenants];
    this.#isTenantTurn = !this.#isTenantTurn;
    return first.shift() ?? second.shift();
  }
}
