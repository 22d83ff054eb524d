import { rateLimited } from '../platform/errors.ts';
import { KeyedSemaphore } from '../platform/load/semaphore.ts';

const AT_ONCE = 4;
const WAITING_LIMIT = {
  maxWaiting: 64,
  refusal: () => rateLimited(1, 'Too many files are read at once; try again'),
};

/**
 * Lets few files of a tenant's drives be read at once, from asking for them until their text is written: of 10 MiB each,
 * sixty at once ended a process with a heap of 256 MiB. Of each tenant by itself, for a drive may be waited for long.
 */
export class DriveReads {
  readonly #ofTenants = new KeyedSemaphore(AT_ONCE, WAITING_LIMIT);

  /** 429 past those that may wait for their turn, which they do until `signal` is aborted. */
  run<T>(tenant_id: string, work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    return this.#ofTenants.run(tenant_id, work, signal);
  }
}
