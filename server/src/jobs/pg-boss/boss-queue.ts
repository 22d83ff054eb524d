import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { type JobWithMetadata, PgBoss } from 'pg-boss';
import { LEFT_JOBS } from '../../messaging/left-jobs.db.ts';
import type { Queryable } from '../../platform/db/queryable.ts';
import { sessionAt } from '../../platform/db/session.ts';
import { givenSql } from '../../platform/db/sql.ts';
import { ANSWER_WITHIN_MS, KEPT_ALIVE } from '../../platform/db/timeouts.ts';
import type { Log } from '../../platform/ports.ts';
import type { Job, JobQueue } from '../../platform/queue.port.ts';
import type { JobDefinition } from '../job-definition.ts';
import { ConsumerPool } from './consumer-pool.ts';
import { askingEachForHead } from './heads.ts';
import { abandoned, boundedTries, endlessTries } from './queue-settings.ts';
import { BRING_BACK, STEADY_CLOCK } from './set-back.ts';
import { takesFrom } from './shares.ts';

/**
 * The next job is read from the index that has jobs in their order. What PostgreSQL knows of a table lags behind a flood,
 * and it would look at all that wait, and sort them, for each that is taken.
 */
export const JOBS_SESSION = ['role=acp_jobs', 'enable_sort=off'];
/** How often the queue is looked after, and whether the database's clock was set back. */
const LOOK_EVERY_SECONDS = 2;
/** The same error is logged once in so long. */
const TOLD_AGAIN_MS = 10_000;
/** What the library adds to the error that a consumer met. */
const MET_BY = / \(Queue: \w+, Worker: [\w-]+\)$/;
/** When the queue stops. The library looks twice a second whether its jobs have ended, so it may begin half a second late. */
const GIVE_BACK_WITHIN_MS = 1000;

/**
 * Jobs on the database with pg-boss: retries with backoff, many processes on one database, order by key.
 * It works in the role acp_jobs, which owns the schema `pgboss` and sees nothing else.
 */
export class BossQueue implements JobQueue {
  readonly #boss: PgBoss;
  readonly #stopTimeoutMs: number;
  readonly #inserts = new Map<Job['name'], string>();
  readonly #pools = new Map<string, ConsumerPool>();
  #looking: NodeJS.Timeout | undefined;
  #isStopping = false;
  #isStopped = false;

  constructor(options: { url: string; log: Log; runsJobs: boolean; stopTimeoutMs?: number }) {
    this.#stopTimeoutMs = options.stopTimeoutMs ?? 2000;
    // Passed on to pg as it is.
    const connection = { ...KEPT_ALIVE, query_timeout: ANSWER_WITHIN_MS };
    this.#boss = new PgBoss({
      ...sessionAt(options.url, JOBS_SESSION),
      ...connection,
      clock: STEADY_CLOCK,
      application_name: 'agent-control-plane jobs',
      schema: 'pgboss',
      createSchema: false,
      max: 4,
      useListenNotify: options.runsJobs,
      supervise: options.runsJobs,
      schedule: false,
      monitorIntervalSeconds: LOOK_EVERY_SECONDS,
      superviseIntervalSeconds: LOOK_EVERY_SECONDS,
    });
    const db = this.#boss.getDb();
    const executeSql = db.executeSql.bind(db);
    db.executeSql = (text, values) => {
      const known = askingEachForHead(text) ?? text;
      const pool = this.#pools.get(takesFrom(known) ?? '');
      return pool ? pool.shares.fetch(known, executeSql) : executeSql(known, values);
    };
    // Each consumer tells of a database that is away twice a second.
    const toldAt = new LRUCache<string, number>({ max: 100 });
    this.#boss.on('error', (error) => {
      // What is stopped does not wait until the database has let its connections go, and that may be about to stop.
      const told = error.message.replace(MET_BY, '');
      if (this.#isStopped || performance.now() - (toldAt.get(told) ?? -Infinity) < TOLD_AGAIN_MS) return;
      toldAt.set(told, performance.now());
      options.log.error({ err: error }, 'job queue');
    });
    this.#boss.on('warning', (warning) => options.log.warn({ warning: warning.message }, 'job queue'));
  }

  /** Installs or migrates the queue's schema and makes its queues. */
  async start(definitions: readonly JobDefinition[]): Promise<void> {
    await this.#boss.start();
    for (const { name, retry, ordered } of definitions) {
      const policy = ordered ? 'key_strict_fifo' : 'standard';
      const deadLetter = abandoned(name);
      await this.#boss.createQueue(deadLetter, endlessTries(retry));
      await this.#boss.updateQueue(deadLetter, endlessTries(retry));
      await this.#boss.createQueue(name, { policy, ...boundedTries(retry), deadLetter });
      await this.#boss.updateQueue(name, boundedTries(retry));
      this.#inserts.set(name, await this.#catchInsert(name));
      await this.#checkFetch(name);
    }
  }

  /** Begins to work on the queues. */
  async work(definitions: readonly JobDefinition[]): Promise<void> {
    const db = this.#boss.getDb();
    // A look that fails tells nothing new: the library's own fails as well.
    const look = () => void db.executeSql(BRING_BACK).catch(() => {});
    this.#looking = setInterval(look, LOOK_EVERY_SECONDS * 1000);
    for (const definition of definitions) {
      await this.#boss.work(
        abandoned(definition.name),
        { pollingIntervalSeconds: 2, notifyPollingIntervalSeconds: 2 },
        async (jobs: { data: Job['data'] }[]) => {
          for (const { data } of jobs) await definition.run(data, { lastAttempt: true });
        },
      );
      const pool = new ConsumerPool(definition, () => void this.#fill(definition, pool));
      this.#pools.set(definition.name, pool);
      await this.#fill(definition, pool);
    }
  }

  /**
   * Has as many consumers as there are to be. One at a time, because each has to be woken by its own id: a consumer that
   * found a job looks for the next at once instead of sleeping, or a conversation would move by two messages a second.
   */
  async #fill(definition: JobDefinition, pool: ConsumerPool): Promise<void> {
    const { name } = definition;
    const options = {
      includeMetadata: true,
      pollingIntervalSeconds: 0.5,
      notifyPollingIntervalSeconds: 0.5,
    } as const;
    while (!this.#isStopping) {
      const consumer = pool.join();
      if (!consumer) return;
      consumer.id = await this.#boss.work(name, options, async (jobs: JobWithMetadata<Job['data']>[]) => {
        this.#boss.notifyWorker(consumer.id);
        try {
          for (const { data, retryCount, retryLimit } of jobs) {
            const attempt = { lastAttempt: retryCount >= retryLimit };
            await pool.run(consumer, data, () => definition.run(data, attempt));
          }
        } finally {
          const ending = pool.leave(consumer);
          if (ending) await this.#boss.offWork(name, { id: ending.id, wait: false });
        }
      });
      consumer.isResting = true;
    }
  }

  async enqueue(q: Queryable, jobs: readonly Job[]): Promise<void> {
    for (const name of new Set(jobs.map((job) => job.name))) {
      const batch = jobs
        .filter((job) => job.name === name)
        .map((job) => ({
          data: job.data,
          priority: job.priority,
          ...(job.name === 'forward_message' && { singletonKey: job.conversation }),
        }));
      await q.queueRows(givenSql(this.#insertInto(name), [JSON.stringify(batch)]));
    }
  }

  async enqueueLeft(q: Queryable, name: Job['name']): Promise<void> {
    await q.queueRows(givenSql(this.#insertInto(name).replace('$1', LEFT_JOBS), []));
  }

  #insertInto(name: Job['name']): string {
    const statement = this.#inserts.get(name);
    if (statement === undefined) throw new Error('The job queue has not been started');
    return statement;
  }

  /** The library's own statement that adds jobs ($1: an array as JSON), caught before it is sent. */
  async #catchInsert(name: Job['name']): Promise<string> {
    const texts: string[] = [];
    const executeSql = (text: string) => {
      texts.push(text);
      return Promise.resolve({ rows: [] });
    };
    await this.#boss.insert(name, [{ data: {}, singletonKey: '-' }], { db: { executeSql } });
    const [text = '', ...more] = texts;
    if (more.length > 0 || text.split('$1').length !== 2 || text.includes('$2'))
      throw new Error('The job library adds jobs in another way than is known here');
    return text;
  }

  /** Whether the library's statement that takes jobs is known, before there is one to take. */
  async #checkFetch(name: Job['name']): Promise<void> {
    await this.#boss.fetch(name, { db: { executeSql: refuseUnknown } });
  }

  /** Lets running jobs finish for a while; what does not is given back, unless the database does not take it. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    clearInterval(this.#looking);
    const stopped = this.#boss.stop({ graceful: true, timeout: this.#stopTimeoutMs, close: true });
    await Promise.race([
      stopped,
      sleep(this.#stopTimeoutMs + GIVE_BACK_WITHIN_MS, undefined, { ref: false }),
    ]);
    this.#isStopped = true;
  }
}

function refuseUnknown(text: string): Promise<{ rows: [] }> {
  if (askingEachForHead(text) === undefined || takesFrom(text) === undefined)
    throw new Error('The job library takes jobs in another way than is known here');
  return Promise.resolve({ rows: [] });
}
