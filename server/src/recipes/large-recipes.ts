import type { TenantQueryable } from '../platform/db/queryable.ts';
import { rateLimited } from '../platform/errors.ts';
import { FairSemaphore } from '../platform/load/semaphore.ts';

/** What needs no turn: so much JSON, and so many characters of pointers to its values and of violations. */
export const LIGHT = { bytes: 64 * 1024, said_length: 256 * 1024 };
/** For what is read in its turn. */
export const ANY_SIZE = 2 ** 31 - 1;
/** As objects a recipe of 2 MiB is 30 MiB and more, with what is said of each of its values. */
const AT_ONCE = { ofOne: 2, ofAll: 4 };
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
 * 256 MiB.
 */
export class LargeRecipes {
  readonly #semaphore = new FairSemaphore(AT_ONCE, WAITING_LIMIT);

  /** Works when it is the tenant's turn; 429 past those that may wait for theirs. Who waits should hold little. */
  run<T>({ q, signal }: LargeCall, work: () => Promise<T>): Promise<T> {
    return this.#semaphore.run(q.tenant_id, work, signal);
  }
}

/**
 * Reads what may be large and has it used. What is large is read once more, whole, in its turn, and is there for `use`
 * alone: who waits holds none of it, and what comes of it should hold little.
 */
export async function withLarge<Row extends { is_large: boolean }, T>(
  call: LargeCall,
  read: (maxBytes: number) => Promise<Row>,
  use: (row: Row) => Promise<T>,
): Promise<T> {
  const row = await read(LIGHT.bytes);
  if (!row.is_large) return use(row);
  return call.services.largeRecipes.run(call, async () => use(await read(ANY_SIZE)));
}
