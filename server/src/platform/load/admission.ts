import { rateLimited } from '../errors.ts';
import { FairSemaphore } from './semaphore.ts';

/**
 * Kinds of work that hold much memory or compute for long, as operations declare them.
 * - configuration: a recipe, a plan or a configuration as objects
 * - drive_file: a file of a drive, up to 10 MiB
 */
export type Load = 'configuration' | 'drive_file';

interface Limit {
  /** Permits of one tenant, and of all tenants together. */
  ofOne: number;
  ofAll: number;
  /** Calls of one tenant that may wait. A waiting call holds its request, which validation has limited. */
  maxWaiting: number;
  refusal: string;
}

const LIMITS: Readonly<Record<Load, Limit>> = {
  configuration: {
    ofOne: 2,
    ofAll: 4,
    maxWaiting: 256,
    refusal: 'Too many configurations at once; try again',
  },
  drive_file: { ofOne: 4, ofAll: 16, maxWaiting: 64, refusal: 'Too many files are read at once; try again' },
};

/** The one place where operations wait because of their load. An operation without a declared load never waits. */
export class Admission {
  readonly #semaphores = new Map<Load, FairSemaphore>();

  constructor() {
    for (const [load, { refusal, maxWaiting, ...permits }] of Object.entries(LIMITS)) {
      const limit = { maxWaiting, refusal: () => rateLimited(1, refusal) };
      this.#semaphores.set(load as Load, new FairSemaphore(permits, limit));
    }
  }

  /**
   * Runs the work once it has a permit. 429 where too many calls with the same key wait; rejects with the signal's
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
