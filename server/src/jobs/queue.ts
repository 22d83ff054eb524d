import { type JobWithMetadata, PgBoss } from 'pg-boss';
import type { Tx } from '../db/database.ts';
import type { Job, JobQueue, Log } from '../domain/ports.ts';

type JobOf<N extends Job['name']> = Extract<Job, { name: N }>;

/** One kind of job: how often it is tried, how many run at once, what is done. */
export interface JobDefinition<N extends Job['name'] = Job['name']> {
  name: N;
  concurrency: number;
  retry: { limit: number; delaySeconds: number; maxDelaySeconds: number };
  /** Jobs with the same key run one after the other, in the order of their making. */
  ordered: boolean;
  /** Safe to run twice. `lastAttempt`: what fails now is not tried again. */
  run(data: JobOf<N>['data'], attempt: { lastAttempt: boolean }): Promise<void>;
}

/** A killed worker's job is noticed after this long without a sign of life (pg-boss's least is 10). */
const HEARTBEAT_SECONDS = 10;

/**
 * Jobs on the database with pg-boss: retries with backoff, many workers on one database, order by key.
 * It works in the role acp_jobs, which owns the schema `pgboss` and sees nothing else.
 */
export class BossQueue implements JobQueue {
  readonly #boss: PgBoss;
  readonly #stopTimeoutMs: number;

  constructor(options: { url: string; log: Log; works: boolean; stopTimeoutMs?: number }) {
    this.#stopTimeoutMs = options.stopTimeoutMs ?? 5000;
    this.#boss = new PgBoss({
      connectionString: options.url,
      options: '-c role=acp_jobs',
      application_name: 'agent-control-plane jobs',
      schema: 'pgboss',
      createSchema: false,
      max: 4,
      useListenNotify: options.works,
      supervise: options.works,
      schedule: false,
      monitorIntervalSeconds: 2,
      superviseIntervalSeconds: 2,
    });
    this.#boss.on('error', (error) => options.log.error({ err: error }, 'job queue'));
    this.#boss.on('warning', (warning) => options.log.warn({ warning: warning.message }, 'job queue'));
  }

  /** Installs or migrates the queue's schema and makes its queues. */
  async start(definitions: readonly JobDefinition[]): Promise<void> {
    await this.#boss.start();
    for (const { name, retry, ordered } of definitions) {
      const settings = {
        retryLimit: retry.limit,
        retryDelay: retry.delaySeconds,
        retryBackoff: true,
        retryDelayMax: retry.maxDelaySeconds,
        heartbeatSeconds: HEARTBEAT_SECONDS,
        expireInSeconds: 600,
        deleteAfterSeconds: 3600,
        notify: true,
      };
      await this.#boss.createQueue(name, { policy: ordered ? 'key_strict_fifo' : 'standard', ...settings });
      await this.#boss.updateQueue(name, settings);
    }
  }

  /** Begins to work on the queues. */
  async work(definitions: readonly JobDefinition[]): Promise<void> {
    for (const definition of definitions) {
      const options = {
        includeMetadata: true,
        localConcurrency: definition.concurrency,
        pollingIntervalSeconds: 0.5,
        notifyPollingIntervalSeconds: 0.5,
      } as const;
      await this.#boss.work(definition.name, options, async (jobs: JobWithMetadata<Job['data']>[]) => {
        for (const job of jobs) {
          await definition.run(job.data, { lastAttempt: job.retryCount >= job.retryLimit });
        }
      });
    }
  }

  async enqueue(tx: Tx, jobs: readonly Job[]): Promise<void> {
    const db = {
      executeSql: (text: string, values?: unknown[]) => tx.queueSql(text, values) as Promise<BossRows>,
    };
    for (const job of jobs) {
      await this.#boss.send(job.name, job.data, {
        db,
        ...(job.name === 'forward_message' && { singletonKey: job.conversation }),
      });
    }
  }

  /** Lets running jobs finish for a while; what does not is given back. */
  async stop(): Promise<void> {
    await this.#boss.stop({ graceful: true, timeout: this.#stopTimeoutMs, close: true });
  }
}

interface BossRows {
  rows: Record<string, unknown>[];
}
