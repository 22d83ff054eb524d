import { availableParallelism } from 'node:os';
import type { Hasher, HashFor } from '../access/hasher.port.ts';
import { rateLimited } from '../platform/errors.ts';
import { FairSemaphore } from '../platform/load/semaphore.ts';
import { type HashJob, type HashResult, HashThread } from './hash-thread.ts';

/** One core stays free for requests and the database; more threads would cost memory and gain little. */
const MAX_THREADS = 4;

/**
 * argon2id on a few low-priority threads, so a flood of verifications leaves the cores to everything else
 * (`npm run bench -- --workloads pins`). Waiting calls take turns by tenant, or by address for logins. At most
 * `maxWaiting` calls of tenants and as many of addresses wait; beyond that, the longest line loses its last call (429).
 */
export class Argon2Hasher implements Hasher {
  readonly #idle: HashThread[] = [];
  /** Tenants and addresses hold threads by turns: anybody can log in, from any number of addresses. */
  readonly #threads: FairSemaphore;
  readonly #tenants: FairSemaphore;
  readonly #addresses: FairSemaphore;

  constructor({
    threads = Math.min(MAX_THREADS, Math.max(1, availableParallelism() - 1)),
    maxWaiting = 200,
  } = {}) {
    this.#threads = new FairSemaphore({ ofAll: threads });
    const limit = { maxWaitingOfAll: maxWaiting, refusal: tooMany };
    this.#tenants = new FairSemaphore({ ofAll: threads }, limit);
    this.#addresses = new FairSemaphore({ ofAll: threads }, limit);
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

  #run(job: HashJob, owner: HashFor): Promise<HashResult> {
    const work = () => this.#compute(job);
    return 'tenant_id' in owner
      ? this.#tenants.run(owner.tenant_id, () => this.#threads.run('tenants', work))
      : this.#addresses.run(owner.address, () => this.#threads.run('addresses', work));
  }

  async #compute(job: HashJob): Promise<HashResult> {
    const thread = this.#idle.pop() ?? new HashThread();
    try {
      return await thread.run(job);
    } finally {
      this.#idle.push(thread);
    }
  }
}

const tooMany = () => rateLimited(1, 'Too many verifications at once; try again');
