import type { TenantQueryable } from '../db/queryable.ts';
import { rateLimited } from '../errors.ts';
import { KeyedSemaphore, Semaphore } from '../semaphore.ts';

/** What is composed without waiting: so much JSON in a recipe, and so many characters of pointers to its values and of violations. */
export const LIGHT = { bytes: 64 * 1024, said_length: 256 * 1024 };
/** For what is read in its turn. */
export const ANY_SIZE = 2 ** 31 - 1;
/** As objects a recipe of 2 MiB is 30 MiB and more, with what is said of each of its values. */
const AT_ONCE = 4;
const OF_TENANT_AT_ONCE = 2;
const WAITING_LIMIT = {
  maxWaiting: 64,
  refusal: () => rateLimited(1, 'Too many large recipes at once; try again'),
};

/** Who wants something large. */
export interface LargeCall {
  q: TenantQueryable;
  services: { largeRecipes: LargeRecipes };
  /** Aborted when nobody waits for it any more. */
  signal: AbortSignal | undefined;
}

/**
 * Lets few large recipes, or configurations made of them, be objects at once, few of them of one tenant: from their
 * being read until what is left of them is text or stored. Forty at once, by one member, ended a process with a heap of
 * 256 MiB. A tenant's turn comes after at most two of each other one, because no more of it wait for those of all.
 */
export class LargeRecipes {
  readonly #ofTenants = new KeyedSemaphore(OF_TENANT_AT_ONCE, WAITING_LIMIT);
  readonly #ofAll = new Semaphore(AT_ONCE);

  /** Works when it is the tenant's turn; 429 past those that may wait for theirs. Who waits should hold little. */
  run<T>({ q, signal }: LargeCall, work: () => Promise<T>): Promise<T> {
    return this.#ofTenants.run(q.tenant_id, () => this.#ofAll.run(work, signal), signal);
  }
}
