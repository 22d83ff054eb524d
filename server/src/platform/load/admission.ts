import { rateLimited } from '../errors.ts';
import { FairSemaphore } from './semaphore.ts';

/**
 * Kinds of work that hold much memory or compute for long, as operations declare them.
 * - configuration: a recipe, a plan or a configuration as objects
 * - drive_file: a file of a drive, up to 10 MiB
 * - model_call: a call of a language model, of up to 8 MiB, until its last byte
 */
export type Load = 'configuration' | 'drive_file' | 'model_call';

/** Limits of a tenant on its load. */
export type LoadLimit = 'drive_reads_at_once' | 'streams';

/** Reads a limit of a tenant; Infinity for none. */
export type FindLoadLimit = (tenant_id: string, name: LoadLimit) => Promise<number>;

interface Limit {
  /** Permits of one tenant, or of one instance where `isPerInstance`; and of all together. */
  ofOne: number;
  ofAll: number;
  /** The limit of the tenant that stands in for `ofOne`. */
  ofTenant?: LoadLimit;
  isPerInstance?: true;
  /** How long a call waits for a permit; without end where it is left out. */
  waitMs?: number;
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
  drive_file: {
    ofOne: 4,
    ofAll: 16,
    ofTenant: 'drive_reads_at_once',
    waitMs: 5000,
    maxWaiting: 64,
    refusal: 'Too many files are read at once; try again',
  },
  model_call: {
    ofOne: 8,
    ofAll: 1000,
    isPerInstance: true,
    maxWaiting: 0,
    refusal: 'The instance has 8 calls of models at once; try again',
  },
};

/** The one place where operations wait because of their load. An operation without a declared load never waits. */
export class Admission {
  readonly #semaphores = new Map<Load, FairSemaphore>();
  readonly #findLimit: FindLoadLimit;

  constructor(findLimit: FindLoadLimit) {
    this.#findLimit = findLimit;
    for (const [load, { ofOne, ofAll, refusal, ...bounds }] of Object.entries(LIMITS)) {
      const limit = { ...bounds, refusal: () => rateLimited(1, refusal) };
      this.#semaphores.set(load as Load, new FairSemaphore({ ofOne, ofAll }, limit));
    }
  }

  /**
   * Runs the work once it has a permit. 429 where too many calls of the tenant wait, or this one has waited too long;
   * rejects with the signal's reason where the caller goes away while it waits.
   */
  async run<T>(
    load: Load | undefined,
    tenant_id: string,
    work: () => Promise<T>,
    signal: AbortSignal | undefined,
    instance_id = tenant_id,
  ): Promise<T> {
    const semaphore = load && this.#semaphores.get(load);
    if (!semaphore) return work();
    const { ofTenant, isPerInstance } = LIMITS[load];
    const permits = ofTenant && (await this.#findLimit(tenant_id, ofTenant));
    return semaphore.run(isPerInstance ? instance_id : tenant_id, work, signal, permits);
  }
}
