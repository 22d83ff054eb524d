import { rateLimited } from '../errors.ts';
import { FairSemaphore } from './semaphore.ts';

/**
 * Kinds of work that hold much memory or compute for long, as operations declare them.
 * - configuration: a recipe, a plan or a configuration as objects
 * - drive_file: a file of a drive, up to 10 MiB
 */
export type Load = 'configuration' | 'drive_file';

/** Permits for one tenant and for all tenants together, for each kind of load. */
const LIMITS = {
  configuration: { ofOne: 2, ofAll: 4, refusal: 'Too many configurations at once; try again' },
  drive_file: { ofOne: 4, ofAll: 16, refusal: 'Too many files are read at once; try again' },
} as const satisfies Record<Load, { ofOne: number; ofAll: number; refusal: string }>;

const MAX_WAITING_OF_ONE = 64;

/** The one place where operations wait because of their load. An operation without a declared load never waits. */
export class Admission {
  readonly #semaphores = new Map<Load, FairSemaphore>();

  constructor() {
    for (const [load, { ofOne, ofAll, refusal }] of Object.entries(LIMITS)) {
      const limit = { maxWaiting: MAX_WAITING_OF_ONE, refusal: () => rateLimited(1, refusal) };
      this.#semaphores.set(load as Load, new FairSemaphore({ ofOne, ofAll }, limit));
    }
  }

  /**
   * Runs the work once it has a permit. 429 where 64 calls with the same key wait already; rejects with the signal's
   * reason where the caller goes away while it waits.
   */
  run<T>(
    load: Load | undefined,
    key: string,
    work: () => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    const semaphore = load && this.#semaphores.get(load);
    return semaphore ? semaphore.run(key, work, signal) : work();
  }
}
