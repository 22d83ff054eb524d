import { availableParallelism } from 'node:os';
import type { Hasher, HashFor } from '../access/hasher.port.ts';
import { rateLimited } from '../platform/errors.ts';
import { FairSemaphore } from '../platform/load/semaphore.ts';
import { type HashJob, type HashResult, HashThread } from './hash-thread.ts';

/** Leaves a core to requests and the database. More threads would cost memory and gain little. */
const MAX_THREADS = 4;

/**
 * argon2id on a few low-priority threads, so a flood of verifications does not slow the service down
 * (`npm run bench -- --workloads pins`). Queues are fair by tenant, or by network address for logins. When `maxWaiting`
 * calls of either kind wait, the longest queue rejects its last call (429).
 */
export class Argon2Hasher implements Hasher {
  readonly #idle: HashThread[] = [];
  /** Alternates between tenants and addresses: an attacker may try logins from any number of addresses. */
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
