import { FairSemaphore } from './semaphore.ts';

/**
 * A FIFO semaphore with a soft timeout: work that runs longer, such as behind a lock, continues without its permit, so
 * it blocks others for at most `softTimeoutMs`.
 */
export class SoftSemaphore {
  readonly #permits: FairSemaphore;

  constructor(permits: number, softTimeoutMs: number) {
    this.#permits = new FairSemaphore({ ofAll: permits, softTimeoutMs });
  }

  run<T>(work: () => Promise<T>): Promise<T> {
    return this.#permits.run('', work);
  }
}
