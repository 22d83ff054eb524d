import { rateLimited } from '../errors.ts';
import { FairSemaphore, type Release } from './semaphore.ts';

/**
 * Work that needs much memory or CPU, as declared by operations.
 * - configuration: a recipe, plan or configuration as objects
 * - drive_file: a file of a drive, up to 10 MiB
 * - model_call: a call of a language model, up to 8 MiB, until its last byte
 * - tool_list: the tools of an agent's servers, up to 512 KiB of each
 * - eligibility: all staff of a customer, with their qualifications
 * - upload: a file of up to 16 MiB; its permit is taken before the body is read
 */
export type Load = 'configuration' | 'drive_file' | 'model_call' | 'tool_list' | 'eligibility' | 'upload';

/** Limits of a tenant. */
type LoadLimit = 'drive_reads_at_once' | 'streams';

/** Infinity: unlimited. */
export type FindLoadLimit = (tenant_id: string, name: LoadLimit) => Promise<number>;

interface Limit {
  /** Permits per tenant, or per instance with `isPerInstance`, and in total. */
  ofOne: number;
  ofAll: number;
  /** A tenant's limit that replaces `ofOne`. */
  ofTenant?: LoadLimit;
  isPerInstance?: true;
  /** Timeout for a permit; default: none. */
  waitMs?: number;
  /** Waiting calls per tenant. Each holds its request, which validation has limited. */
  maxWaiting: number;
  /** Waiting calls in total; default: no limit. */
  maxWaitingOfAll?: number;
  /** `enter` takes the permit, because a waiting body would be held in memory. */
  isBeforeBody?: true;
  refusal: string;
  /** Bodies of a tenant's and of all calls at once, because a call may hold its body for minutes. */
  bytes?: { ofTenant: number; ofAll: number };
}

const MIB = 1024 * 1024;

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
    bytes: { ofTenant: 32 * MIB, ofAll: 256 * MIB },
  },
  tool_list: {
    ofOne: 8,
    ofAll: 32,
    waitMs: 5000,
    maxWaiting: 64,
    refusal: 'Too many lists of tools at once; try again',
  },
  eligibility: {
    ofOne: 2,
    ofAll: 8,
    waitMs: 5000,
    maxWaiting: 64,
    refusal: 'Too many questions of eligibility at once; try again',
  },
  upload: {
    ofOne: 2,
    ofAll: 4,
    maxWaiting: 0,
    maxWaitingOfAll: 0,
    isBeforeBody: true,
    refusal: 'Too many files are uploaded at once; try again',
  },
};

/** The permit is taken before the body is read. */
export const isBeforeBody = (load: Load): boolean => LIMITS[load].isBeforeBody === true;

/** The only place where operations wait because of load. */
export class Admission {
  readonly #semaphores = new Map<Load, FairSemaphore>();
  readonly #findLimit: FindLoadLimit;
  /** Bytes of bodies by load and tenant. */
  readonly #held = new Map<string, number>();

  constructor(findLimit: FindLoadLimit) {
    this.#findLimit = findLimit;
    for (const [load, { ofOne, ofAll, refusal, ...bounds }] of Object.entries(LIMITS)) {
      const limit = { ...bounds, refusal: () => rateLimited(1, refusal) };
      this.#semaphores.set(load as Load, new FairSemaphore({ ofOne, ofAll }, limit));
    }
  }

  /**
   * Runs the work with a permit. 429 when too many calls wait or after `waitMs`; rejects with the signal's reason when
   * the caller disconnects while waiting.
   */
  async run<T>(
    load: Load | undefined,
    tenant_id: string,
    work: () => Promise<T>,
    signal: AbortSignal | undefined,
    { instance_id = tenant_id, bytes = 0 }: { instance_id?: string | undefined; bytes?: number } = {},
  ): Promise<T> {
    const semaphore = load && this.#semaphores.get(load);
    if (!semaphore || LIMITS[load].isBeforeBody) return work();
    const { ofTenant, isPerInstance } = LIMITS[load];
    const permits = ofTenant && (await this.#findLimit(tenant_id, ofTenant));
    const held = () => this.#holding(load, tenant_id, bytes, work);
    return semaphore.run(isPerInstance ? instance_id : tenant_id, held, signal, permits);
  }

  /** A permit for a request whose body is not read yet (isBeforeBody). 429 when there is none. */
  async enter(load: Load, tenant_id: string): Promise<Release | undefined> {
    return this.#semaphores.get(load)?.acquire(tenant_id);
  }

  async #holding<T>(load: Load, tenant_id: string, bytes: number, work: () => Promise<T>): Promise<T> {
    const limit = LIMITS[load].bytes;
    if (!limit) return work();
    const places = [
      { key: `${load} ${tenant_id}`, most: limit.ofTenant },
      { key: load, most: limit.ofAll },
    ];
    if (places.some(({ key, most }) => (this.#held.get(key) ?? 0) + bytes > most))
      throw rateLimited(1, 'Too many bytes of requests are under way; try again');
    for (const { key } of places) this.#hold(key, bytes);
    try {
      return await work();
    } finally {
      for (const { key } of places) this.#hold(key, -bytes);
    }
  }

  #hold(key: string, bytes: number): void {
    const held = (this.#held.get(key) ?? 0) + bytes;
    if (held > 0) this.#held.set(key, held);
    else this.#held.delete(key);
  }
}
