import { setTimeout as sleep } from 'node:timers/promises';
import type { Notifications } from '../db/notifications.ts';
import type { SystemDb } from '../db/queryable.ts';
import type { Query } from '../db/sql.ts';
import type { Log } from '../ports.ts';
import {
  type Again,
  backOff,
  bringBack,
  type ClaimedJob,
  claimJobs,
  deleteJob,
  giveBack,
  type Lane,
  renewLeases,
  repeatJob,
} from './jobs.db.ts';

/** A third of the lease. */
const RENEW_EVERY_MS = 5000;
/** Jobs that are announced while every lane is full, or that others take, are asked about once in this time. */
const REST_MS = 50;
const BRING_BACK_EVERY_MS = 15_000;
const GIVE_BACK_WITHIN_MS = 1000;
/** Below every lane. */
const FIRST: Lane = { tenant_id: '00000000-0000-0000-0000-000000000000', lane: '' };

export type Job = Pick<ClaimedJob, 'key' | 'tenant_id' | 'attempts'>;

/** A failure that is expected and recorded elsewhere: the job is tried again, and nothing is logged. */
export class TryLater extends Error {}

/** A kind of job: how many run at once in this process, and what is done. */
export interface JobKind {
  kind: string;
  /** More in total than per tenant, and per tenant than per lane, so that work that hangs leaves room for others. */
  slots: { total: number; perTenant: number; perLane: number };
  /** The pause after a failure is the queue's first one, then twice as long each time, up to this. At most 300. */
  maxPauseSeconds: number;
  /**
   * Does the work; safe to run twice. Rejects to be tried again, without limit. The signal aborts when the job is no longer
   * this run's.
   * @returns when to run once more, at the latest; undefined when the work is done
   */
  run(job: Job, signal: AbortSignal): Promise<Again | undefined>;
}

export interface QueuePace {
  /** How often an idle process looks for jobs that nobody announced: delayed, failed or abandoned ones. */
  lookEveryMs: number;
  /** The pause after a first failure. At most 1000. */
  firstPauseMs: number;
  /** How long running jobs may take to finish when the queue stops. */
  stopWithinMs: number;
}

const PACE: QueuePace = { lookEveryMs: 1000, firstPauseMs: 1000, stopWithinMs: 2000 };

interface Services {
  db: SystemDb;
  notifications: Notifications;
  log: Log;
  /** Called for each run that failed and that nobody expected to. */
  onFailure?: (kind: string) => void;
}

/**
 * Runs the jobs of the table `jobs`. Several processes may work on one database: a job has one holder at a time, by a lease
 * that runs out when its process dies. Tenants and lanes take turns, each below its limit.
 */
export class Queue {
  readonly #consumers: readonly Consumer[];
  readonly #store: Store;
  readonly #notifications: Notifications;
  readonly #pace: QueuePace;
  #timers: NodeJS.Timeout[] = [];
  #unsubscribe = () => {};

  constructor(
    { db, notifications, log, onFailure = () => {} }: Services,
    kinds: readonly JobKind[],
    pace: Partial<QueuePace> = {},
  ) {
    this.#pace = { ...PACE, ...pace };
    this.#store = new Store(db, log);
    const { firstPauseMs } = this.#pace;
    this.#consumers = kinds.map((kind) => new Consumer(kind, this.#store, { log, onFailure, firstPauseMs }));
    this.#notifications = notifications;
  }

  start(): void {
    const look = () => {
      for (const consumer of this.#consumers) consumer.look();
    };
    const renew = () => {
      for (const consumer of this.#consumers) void consumer.renew();
    };
    const bringAllBack = () => void this.#store.run(bringBack());
    this.#unsubscribe = this.#notifications.subscribe('jobs', (kind) => {
      for (const consumer of this.#consumers) if (consumer.kind === kind) consumer.look();
    });
    this.#timers = [
      setInterval(look, this.#pace.lookEveryMs),
      setInterval(renew, RENEW_EVERY_MS),
      setInterval(bringAllBack, BRING_BACK_EVERY_MS),
    ];
    bringAllBack();
    look();
  }

  /** Lets running jobs finish for a while and gives the others back, unless the database does not answer. */
  async stop(): Promise<void> {
    this.#unsubscribe();
    await Promise.all(this.#consumers.map((consumer) => consumer.stop(this.#pace.stopWithinMs)));
    for (const timer of this.#timers) clearInterval(timer);
  }
}

/** The database, whose outage is reported once. */
class Store {
  readonly #db: SystemDb;
  readonly #log: Log;
  #isAway = false;

  constructor(db: SystemDb, log: Log) {
    this.#db = db;
    this.#log = log;
  }

  /** Runs queries in one transaction. @returns the result of the first; undefined where the database did not take them */
  async run<T>(query: Query<T>, ...more: readonly Query<unknown>[]): Promise<T | undefined> {
    try {
      const [result] = await this.#db.runAll<unknown>([query, ...more]);
      this.#isAway = false;
      return result as T;
    } catch (error) {
      if (!this.#isAway) this.#log.error({ err: error }, 'the job queue cannot use the database');
      this.#isAway = true;
      return undefined;
    }
  }
}

interface Run {
  job: ClaimedJob;
  abort: AbortController;
  ended: Promise<void>;
}

/** Claims and runs the jobs of one kind. */
class Consumer {
  readonly #kind: JobKind;
  readonly #store: Store;
  readonly #log: Log;
  readonly #onFailure: (kind: string) => void;
  readonly #firstPauseMs: number;
  readonly #runs = new Map<string, Run>();
  #after = FIRST;
  #looking: Promise<void> | undefined;
  #isLooking = false;
  #endRest = () => {};
  #looksAgain = false;
  #isStopping = false;

  constructor(
    kind: JobKind,
    store: Store,
    {
      log,
      onFailure,
      firstPauseMs,
    }: Required<Pick<Services, 'log' | 'onFailure'>> & { firstPauseMs: number },
  ) {
    this.#kind = kind;
    this.#store = store;
    this.#log = log;
    this.#onFailure = onFailure;
    this.#firstPauseMs = firstPauseMs;
  }

  get kind(): string {
    return this.#kind.kind;
  }

  get #jobs(): ClaimedJob[] {
    return [...this.#runs.values()].map(({ job }) => job);
  }

  /** Claims jobs for the free slots. A call while another one is under way makes that one look once more. */
  look(): void {
    this.#looksAgain = true;
    if (!this.#isLooking) this.#looking = this.#lookWhileAsked();
  }

  async #lookWhileAsked(): Promise<void> {
    this.#isLooking = true;
    while (this.#looksAgain && !this.#isStopping) {
      this.#looksAgain = false;
      if (!(await this.#fillSlots())) await this.#rest();
    }
    // In the same tick as the last check, so that no call comes between.
    this.#isLooking = false;
  }

  /** Ends early when a slot becomes free. */
  async #rest(): Promise<void> {
    const freed = new Promise<void>((resolve) => {
      this.#endRest = resolve;
    });
    await Promise.race([sleep(REST_MS, undefined, { ref: false }), freed]);
  }

  /** @returns false where it asked in vain */
  async #fillSlots(): Promise<boolean> {
    const wanted = this.#kind.slots.total - this.#runs.size;
    if (wanted === 0) return true;
    const jobs = await this.#claim(wanted);
    if (!jobs) return false;
    if (this.#isStopping) {
      await this.#store.run(giveBack(this.kind, jobs));
      return false;
    }
    for (const job of jobs) this.#begin(job);
    // At the end of the walk it begins anew, unless it has just seen all lanes.
    const last = jobs.length === wanted ? jobs.at(-1) : undefined;
    if (!last && this.#after === FIRST) return jobs.length > 0;
    this.#after = last ?? FIRST;
    this.#looksAgain = true;
    return true;
  }

  #claim(wanted: number): Promise<ClaimedJob[] | undefined> {
    const running: Record<string, number> = {};
    for (const { tenant_id, lane } of this.#jobs) {
      for (const name of [tenant_id, `${tenant_id}/${lane}`]) running[name] = (running[name] ?? 0) + 1;
    }
    const { kind, slots } = this.#kind;
    return this.#store.run(claimJobs({ kind, wanted, after: this.#after, running, ...slots }));
  }

  #begin(job: ClaimedJob): void {
    const abort = new AbortController();
    const ended = this.#run(job, abort.signal).finally(() => {
      this.#runs.delete(job.claim);
      this.#endRest();
      this.look();
    });
    this.#runs.set(job.claim, { job, abort, ended });
  }

  /** If the database does not take the end of a run, the job runs once more when its lease is over. */
  async #run(job: ClaimedJob, signal: AbortSignal): Promise<void> {
    try {
      const again = await this.#kind.run(job, signal);
      if (signal.aborted) return;
      if (again === undefined) await this.#store.run(deleteJob(job), repeatJob(job));
      else await this.#store.run(repeatJob(job, again));
    } catch (error) {
      if (signal.aborted) return;
      const { kind, key, tenant_id, attempts } = job;
      if (!(error instanceof TryLater)) {
        this.#onFailure(kind);
        this.#log.warn({ kind, key, tenant_id, attempts, err: error }, 'a job failed and is tried again');
      }
      await this.#store.run(backOff(job, this.#firstPauseMs, this.#kind.maxPauseSeconds));
    }
  }

  /** Aborts runs whose job another process holds by now, because this one did not get to renew the lease. */
  async renew(): Promise<void> {
    if (this.#runs.size === 0) return;
    const runs = [...this.#runs.values()];
    const held = await this.#store.run(renewLeases(this.kind, this.#jobs));
    if (!held) return;
    const isHeld = new Set(held.map(({ claim }) => claim));
    for (const { job, abort } of runs) if (!isHeld.has(job.claim)) abort.abort();
  }

  async stop(withinMs: number): Promise<void> {
    this.#isStopping = true;
    const finished = async () => {
      await this.#looking;
      await Promise.all([...this.#runs.values()].map(({ ended }) => ended));
    };
    await Promise.race([finished(), sleep(withinMs, undefined, { ref: false })]);
    if (this.#runs.size === 0) return;
    for (const { abort } of this.#runs.values()) abort.abort();
    const givenBack = this.#store.run(giveBack(this.kind, this.#jobs));
    await Promise.race([givenBack, sleep(GIVE_BACK_WITHIN_MS, undefined, { ref: false })]);
  }
}
