import { availableParallelism } from 'node:os';
import type { Hasher, HashFor } from '../access/hasher.port.ts';
import { rateLimited, type ServiceError } from '../platform/errors.ts';
import { FairQueue } from './fair-queue.ts';
import { type HashOrder, HashThread } from './hash-thread.ts';

/** One core stays free for requests and the database; more threads than this would hold much memory for little. */
const MAX_THREADS = 4;

interface Waiting {
  go: (thread: HashThread) => void;
  refuse: (error: ServiceError) => void;
}

/**
 * argon2id on threads of its own, so few and of so low a priority that a flood of verifications leaves the cores to
 * everything else (`npm run bench -- --workloads pins`). Further calls wait: those of each tenant, and of each address
 * that logins come from, behind no more than the next ones of the others. `maxWaiting` of tenants and as many of
 * addresses may wait; past it, whoever has the most waiting is refused with 429.
 */
export class Argon2Hasher implements Hasher {
  readonly #idle: HashThread[];
  readonly #ofTenants: FairQueue<Waiting>;
  /** Apart, and with a turn of its own: anybody can log in, from as many addresses as they have. */
  readonly #ofAddresses: FairQueue<Waiting>;
  #isTurnOfTenants = true;

  constructor({
    threads = Math.min(MAX_THREADS, Math.max(1, availableParallelism() - 1)),
    maxWaiting = 200,
  } = {}) {
    this.#idle = Array.from({ length: threads }, () => new HashThread());
    this.#ofTenants = new FairQueue(maxWaiting);
    this.#ofAddresses = new FairQueue(maxWaiting);
  }

  hash(plaintext: string, whom: HashFor): Promise<string> {
    return this.#run({ plaintext }, whom) as Promise<string>;
  }

  verify(hashed: string, plaintext: string, whom: HashFor): Promise<boolean> {
    return this.#run({ plaintext, hashed }, whom) as Promise<boolean>;
  }

  async #run(order: HashOrder, whom: HashFor): Promise<string | boolean> {
    const thread = this.#idle.pop() ?? (await this.#wait(whom));
    try {
      return await thread.run(order);
    } finally {
      const next = this.#next();
      if (next) next.go(thread);
      else this.#idle.push(thread);
    }
  }

  /** Whoever finishes hands its thread over. */
  #wait(whom: HashFor): Promise<HashThread> {
    return new Promise((go, refuse) => {
      const waiting = { go, refuse };
      const refused =
        'tenant_id' in whom
          ? this.#ofTenants.push(whom.tenant_id, waiting)
          : this.#ofAddresses.push(whom.address, waiting);
      refused?.refuse(rateLimited(1, 'Too many verifications at once; try again'));
    });
  }

  #next(): Waiting | undefined {
    const [first, second] = this.#isTurnOfTenants
      ? [this.#ofTenants, this.#ofAddresses]
      : [this.#ofAddresses, this.#ofTenants];
    this.#isTurnOfTenants = !this.#isTurnOfTenants;
    return first.shift() ?? second.shift();
  }
}
