import { setTimeout as sleep } from 'node:timers/promises';
import type { Notifications } from '../db/notifications.ts';
import type { SystemDb } from '../db/queryable.ts';
import type { Query } from '../db/sql.ts';
import type { Log } from '../ports.ts';
import { SeldomLog } from '../seldom-log.ts';
import {
  type Again,
  backOff,
  type ClaimedJob,
  claimJobs,
  deleteJob,
  expireLeasesOf,
  type Lane,
  renewLeases,
  repeatJob,
  resetFutureJobs,
  returnJobs,
} from './jobs.db.ts';

/** A third of the lease. */
const RENEW_EVERY_MS = 5000;
/** Pause after a claim without result, for example while all lanes are full or other processes are faster. */
const PAUSE_MS = 50;
const RESET_EVERY_MS = 15_000;
const RETURN_WITHIN_MS = 1000;
/** Before all lanes. */
const FIRST: Lane = { tenant_id: '00000000-0000-0000-0000-000000000000', lane: '' };

export type Job = Pick<ClaimedJob, 'key' | 'tenant_id' | 'attempts'>;

/** An expected failure that is recorded elsewhere: the job is retried without a log line. */
export class TryLater extends Error {}

export interface JobKind {
  kind: string;
  /** Total above perTenant above perLane, so that hanging work leaves slots for others. */
  slots: { total: number; perTenant: number; perLane: number };
  /** Limit of the exponential backoff. At most 300. */
  maxPauseSeconds: number;
  /** No run begins while the service drains. */
  restsWhileDraining?: true;
  /** Timeout for running jobs when the queue stops, in place of `stopWithinMs`. */
  finishesWithinMs?: number;
  /**
   * Must be idempotent. A rejection is retried forever. The signal aborts when this run has lost the job.
   * @param draining aborted when the service drains: current work goes on, nothing new begins
   * @returns the latest time of the next run; undefined when done
   */
  run(job: Job, signal: AbortSignal, draining: AbortSignal): Promise<Again | undefined>;
}

export interface QueuePace {
  /** Interval for jobs without notification: delayed, failed or abandoned ones. */
  pollEveryMs: number;
  /** At most 1000. */
  firstPauseMs: number;
  /** Timeout for running jobs when the queue stops. */
  stopWithinMs: number;
}

const PACE: QueuePace = { pollEveryMs: 1000, firstPauseMs: 1000, stopWithinMs: 2000 };

interface Services {
  db: SystemDb;
  /** This host. */
  holder: string;
  notifications: Notifications;
  log: Log;
  /** Not called for TryLater. */
  onFailure?: (kind: string) => void;
}

/**
 * Runs jobs from the table `jobs`. Several processes may share a database: each job has one holder by a lease that
 * expires when its process dies. Tenants and lanes alternate, each below its limit.
 */
export class Queue {
  readonly #consumers: readonly Consumer[];
  readonly #store: Store;
  readonly #db: SystemDb;
  readonly #holder: string;
  readonly #notifications: Notifications;
  readonly #pace: QueuePace;
  readonly #draining = new AbortController();
  #timers: NodeJS.Timeout[] = [];
  #unsubscribe = () => {};

  constructor(
    { db, holder, notifications, log, onFailure = () => {} }: Services,
    kinds: readonly JobKind[],
    pace: Partial<QueuePace> = {},
  ) {
    this.#pace = { ...PACE, ...pace };
    this.#store = new Store(db, log);
    const { firstPauseMs } = this.#pace;
    const options = { holder, log, onFailure, firstPauseMs, draining: this.#draining.signal };
    this.#consumers = kinds.map((kind) => new Consumer(kind, this.#store, options));
    this.#notifications = notifications;
    this.#db = db;
    this.#holder = holder;
  }

  /** Call before start(). Jobs that this host ran when it was killed become due at once. */
  async expireOwnLeases(): Promise<void> {
    await this.#db.run(expireLeasesOf(this.#holder));
  }

  start(): void {
    const poll = () => {
      for (const consumer of this.#consumers) consumer.poll();
    };
    const renew = () => {
      for (const consumer of this.#consumers) void consumer.renew();
    };
    const resetAll = () => void this.#store.run(resetFutureJobs());
    this.#unsubscribe = this.#notifications.subscribe('jobs', (kind) => {
      for (const consumer of this.#consumers) if (consumer.kind === kind) consumer.poll();
    });
    this.#timers = [
      setInterval(poll, this.#pace.pollEveryMs),
      setInterval(renew, RENEW_EVERY_MS),
      setInterval(resetAll, RESET_EVERY_MS),
    ];
    resetAll();
    poll();
  }

  /** Begins no more work that takes long; current work goes on. */
  drain(): void {
    this.#draining.abort();
  }

  /**
   * Waits for running jobs, then returns the remaining ones unless the database does not answer.
   * @param afterwards runs when the kinds without a timeout of their own have ended
   */
  async stop(afterwards: () => Promise<void> = async () => {}): Promise<void> {
    this.#unsubscribe();
    this.drain();
    const { stopWithinMs } = this.#pace;
    const longer = this.#consumers.filter(({ finishesWithinMs }) => finishesWithinMs !== undefined);
    const others = this.#consumers.filter((consumer) => !longer.includes(consumer));
    const stopOthers = async () => {
      await Promise.all(others.map((consumer) => consumer.stop(stopWithinMs)));
      await afterwards();
    };
    await Promise.all([stopOthers(), ...longer.map((consumer) => consumer.stop(stopWithinMs))]);
    for (const timer of this.#timers) clearInterval(timer);
  }
}

class Store {
  readonly #db: SystemDb;
  readonly #log: SeldomLog;

  constructor(db: SystemDb, log: Log) {
    this.#db = db;
    this.#log = new SeldomLog(log);
  }

  /** In one transaction. @returns the first result; undefined if the database failed */
  async run<T>(query: Query<T>, ...more: readonly Query<unknown>[]): Promise<T | undefined> {
    try {
      const [result] = await this.#db.runAll<unknown>([query, ...more]);
      return result as T;
    } catch (error) {
      // A success ends no outage: a read-only database answers claims that find nothing.
      this.#log.error('database', { err: error }, 'the job queue cannot use the database');
      return undefined;
    }
  }
}

interface Run {
  job: ClaimedJob;
  abort: AbortController;
  ended: Promise<void>;
}

interface ConsumerOptions extends Required<Pick<Services, 'holder' | 'log' | 'onFailure'>> {
  firstPauseMs: number;
  draining: AbortSignal;
}

class Consumer {
  readonly #kind: JobKind;
  readonly #store: Store;
  readonly #log: Log;
  readonly #onFailure: (kind: string) => void;
  readonly #firstPauseMs: number;
  readonly #holder: string;
  readonly #draining: AbortSignal;
  readonly #runs = new Map<string, Run>();
  #after = FIRST;
  #polling: Promise<void> | undefined;
  #isPolling = false;
  #isRenewing = false;
  #endPause = () => {};
  #pollAgain = false;
  #isStopping = false;

  constructor(
    kind: JobKind,
    store: Store,
    { holder, log, onFailure, firstPauseMs, draining }: ConsumerOptions,
  ) {
    this.#kind = kind;
    this.#store = store;
    this.#log = log;
    this.#onFailure = onFailure;
    this.#firstPauseMs = firstPauseMs;
    this.#holder = holder;
    this.#draining = draining;
  }

  get finishesWithinMs(): number | undefined {
    return this.#kind.finishesWithinMs;
  }

  get #isResting(): boolean {
    return this.#isStopping || (this.#kind.restsWhileDraining === true && this.#draining.aborted);
  }

  get kind(): string {
    return this.#kind.kind;
  }

  get #jobs(): ClaimedJob[] {
    return [...this.#runs.values()].map(({ job }) => job);
  }

  /** A call during a claim causes one more. */
  poll(): void {
    this.#pollAgain = true;
    if (!this.#isPolling) this.#polling = this.#pollWhileRequested();
  }

  async #pollWhileRequested(): Promise<void> {
    this.#isPolling = true;
    while (this.#pollAgain && !this.#isResting) {
      this.#pollAgain = false;
      if (!(await this.#fillSlots())) await this.#pause();
    }
    // In the same tick as the last check, so that no call is missed.
    this.#isPolling = false;
  }

  /** Ends early when a slot becomes free. */
  async #pause(): Promise<void> {
    const freed = new Promise<void>((resolve) => {
      this.#endPause = resolve;
    });
    await Promise.race([sleep(PAUSE_MS, undefined, { ref: false }), freed]);
  }

  /** @returns false if nothing was claimed */
  async #fillSlots(): Promise<boolean> {
    const wanted = this.#kind.slots.total - this.#runs.size;
    if (wanted === 0) return true;
    const jobs = await this.#claim(wanted);
    if (!jobs) return false;
    if (this.#isResting) {
      await this.#store.run(returnJobs(this.kind, jobs));
      return false;
    }
    for (const job of jobs) this.#begin(job);
    // At the end of the lanes restart, unless this walk covered all of them.
    const last = jobs.length === wanted ? jobs.at(-1) : undefined;
    if (!last && this.#after === FIRST) return jobs.length > 0;
    this.#after = last ?? FIRST;
    this.#pollAgain = true;
    return true;
  }

  #claim(wanted: number): Promise<ClaimedJob[] | undefined> {
    const running: Record<string, number> = {};
    for (const { tenant_id, lane } of this.#jobs) {
      for (const name of [tenant_id, `${tenant_id}/${lane}`]) running[name] = (running[name] ?? 0) + 1;
    }
    const { kind, slots } = this.#kind;
    return this.#store.run(
      claimJobs({ holder: this.#holder, kind, wanted, after: this.#after, running, ...slots }),
    );
  }

  #begin(job: ClaimedJob): void {
    const abort = new AbortController();
    const ended = this.#run(job, abort.signal).finally(() => {
      this.#runs.delete(job.claim);
      this.#endPause();
      this.poll();
    });
    this.#runs.set(job.claim, { job, abort, ended });
  }

  /** If the database fails here, the job runs again after its lease. */
  async #run(job: ClaimedJob, signal: AbortSignal): Promise<void> {
    try {
      const again = await this.#kind.run(job, signal, this.#draining);
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

  /** Aborts runs that lost their job because the lease was not renewed in time. Does nothing during another renewal. */
  async renew(): Promise<void> {
    if (this.#runs.size === 0 || this.#isRenewing) return;
    this.#isRenewing = true;
    await this.#renew();
    this.#isRenewing = false;
  }

  async #renew(): Promise<void> {
    const runs = [...this.#runs.values()];
    const held = await this.#store.run(renewLeases(this.kind, this.#jobs));
    if (!held) return;
    const isHeld = new Set(held.map(({ claim }) => claim));
    for (const { job, abort } of runs) if (!isHeld.has(job.claim)) abort.abort();
  }

  async stop(withinMs: number): Promise<void> {
    this.#isStopping = true;
    const finished = async () => {
      await this.#polling;
      await Promise.all([...this.#runs.values()].map(({ ended }) => ended));
    };
    const timeoutMs = this.finishesWithinMs ?? withinMs;
    await Promise.race([finished(), sleep(timeoutMs, undefined, { ref: false })]);
    if (this.#runs.size === 0) return;
    for (const { abort } of this.#runs.values()) abort.abort();
    const returned = this.#store.run(returnJobs(this.kind, this.#jobs));
    await Promise.race([returned, sleep(RETURN_WITHIN_MS, undefined, { ref: false })]);
  }
}
