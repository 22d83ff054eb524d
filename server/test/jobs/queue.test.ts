import { EventEmitter, once } from 'node:events';
import pg from 'pg';
import { PgBoss } from 'pg-boss';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { JobDefinition } from '../../src/jobs/job-definition.ts';
import { BossQueue, JOBS_SESSION } from '../../src/jobs/pg-boss/boss-queue.ts';
import { BRING_BACK } from '../../src/jobs/pg-boss/set-back.ts';
import { Database } from '../../src/platform/db/database.ts';
import { sessionAt } from '../../src/platform/db/session.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const HOUR_MS = 3_600_000;
const log = { error: vi.fn(), warn: vi.fn(), info: vi.fn(), debug: vi.fn() };
let database: TestDatabase;
let queue: BossQueue;
let client: pg.Client;
let boss: PgBoss;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

beforeEach(async () => {
  const connections = vi.spyOn(pg.Client.prototype, 'connect');
  const starts = vi.spyOn(PgBoss.prototype, 'start');
  queue = new BossQueue({ url: database.url, log, runsJobs: false });
  await queue.start([]);
  client = connections.mock.contexts[0] as pg.Client;
  boss = starts.mock.contexts[0] as PgBoss;
  connections.mockRestore();
  starts.mockRestore();
});
afterEach(async () => {
  vi.useRealTimers();
  await queue.stop();
  vi.clearAllMocks();
});

it('tells of a connection that is lost', async () => {
  client.emit('error', new Error('lost'));
  expect(log.error).toHaveBeenCalledTimes(1);
});

/** @returns how often it was told */
const lose = (...messages: string[]) => {
  for (const message of messages) boss.emit('error', new Error(message));
  return log.error.mock.calls.length;
};

it('tells of the same again after ten seconds, however often it comes', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  expect(lose('lost', 'refused', 'lost', 'refused')).toBe(2);
  vi.advanceTimersByTime(9000);
  expect(lose('lost', 'refused')).toBe(2);
  vi.advanceTimersByTime(2000);
  expect(lose('lost', 'refused', 'lost')).toBe(4);
});

it('tells of it again also when the clock is set back', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  expect(lose('lost')).toBe(1);
  vi.advanceTimersByTime(11_000);
  vi.setSystemTime(Date.now() - 3 * HOUR_MS);
  expect(lose('lost')).toBe(2);
});

it('tells of what all workers meet once, of whatever queue they are', () => {
  expect(lose('gone (Queue: a, Worker: 0f-1)', 'gone (Queue: a, Worker: 0f-2)')).toBe(1);
  expect(lose('gone (Queue: b, Worker: 0f-3)', 'gone')).toBe(1);
  expect(log.error.mock.lastCall?.[0]).toMatchObject({ err: { message: 'gone (Queue: a, Worker: 0f-1)' } });
});

it('tells of none once it has stopped: a database that stops at once ends them itself', async () => {
  await queue.stop();
  client.emit('error', new Error('lost'));
  expect(log.error).not.toHaveBeenCalled();
});

interface PlanNode {
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

const isFetch = (text: string) => text.includes("name = 'forward_message'") && text.includes('SKIP LOCKED');

/** By a statement of the queue's own connections. */
async function rowsLookedAtBy(statement: string): Promise<number> {
  const session = new pg.Client(sessionAt(database.url, JOBS_SESSION));
  await session.connect();
  try {
    const { rows } = await session.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `explain (analyze, format json) ${statement}`,
    );
    return rowsLookedAt((rows[0] ?? expect.unreachable())['QUERY PLAN'][0].Plan);
  } finally {
    await session.end();
  }
}

const rowsLookedAt = ({ Plans = [], ...node }: PlanNode): number =>
  (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'] +
  Plans.reduce((sum, plan) => sum + rowsLookedAt(plan), 0);

const definitionOf = (given: Partial<JobDefinition>): JobDefinition => ({
  name: 'forward_message',
  concurrency: 1,
  atMost: 1,
  shares: {},
  retry: { limit: 1, delaySeconds: 1, maxDelaySeconds: 1 },
  ordered: true,
  run: async () => {},
  ...given,
});

it('takes the next ordered job without a look at all that wait', async () => {
  const definition = definitionOf({});
  const worker = new BossQueue({ url: database.url, log, runsJobs: true });
  const statements = vi.spyOn(pg.Pool.prototype, 'query');
  await worker.start([definition]);
  await worker.work([definition]);
  const fetchOfTheQueue = () => statements.mock.calls.map(([text]) => text).find(isFetch);
  await vi.waitFor(() => expect(fetchOfTheQueue()).toBeDefined(), { timeout: 60_000 });
  await worker.stop();
  const fetch = fetchOfTheQueue();
  statements.mockRestore();
  await database.query(
    `insert into pgboss.job (name, data, singleton_key, policy, retry_limit)
     select 'forward_message', '{}', key, 'key_strict_fifo', 1 from generate_series(2000, 1, -1) as key`,
  );
  // As little is known of the table as it is during a flood, and as much as there is after it.
  expect(await rowsLookedAtBy(`${fetch}`)).toBeLessThan(100);
  await database.query('analyze pgboss.job_common');
  expect(await rowsLookedAtBy(`${fetch}`)).toBeLessThan(100);
});

/** Adds jobs whose data are these: each the only one of its key, or of the key that the data name. */
const addJobs = (...data: object[]) =>
  database.query(
    `insert into pgboss.job (name, data, singleton_key, policy, retry_limit)
     select 'forward_message', data, coalesce(data->>'key', gen_random_uuid()::text), 'key_strict_fifo', 1
     from unnest($1::jsonb[]) as data`,
    [data.map((one) => JSON.stringify(one))],
  );

/** Has jobs run that end when the test says so. @returns the data of those that have begun, and a way to end them all */
async function runHeld(bounds: Partial<JobDefinition>, ...data: object[]) {
  await database.query(`delete from pgboss.job where name = 'forward_message'`);
  const begun: object[] = [];
  const held = new EventEmitter();
  const ended = once(held, 'end');
  const definition = definitionOf({
    ...bounds,
    run: async (one) => {
      begun.push(one);
      await ended;
    },
  });
  const worker = new BossQueue({ url: database.url, log, runsJobs: true });
  await worker.start([definition]);
  await addJobs(...data);
  await worker.work([definition]);
  return { begun, end: () => held.emit('end'), worker };
}
const count = (counted: unknown[], expected: number) =>
  vi.waitFor(() => expect(counted).toHaveLength(expected), { timeout: 60_000 });

it('looks for the next job as soon as one is done: a worker that slept would do two a second', async () => {
  const done: number[] = [];
  const definition = definitionOf({ run: async () => void done.push(performance.now()) });
  await database.query(`delete from pgboss.job where name = 'forward_message'`);
  const worker = new BossQueue({ url: database.url, log, runsJobs: true });
  await worker.start([definition]);
  await addJobs(...Array.from({ length: 21 }, () => ({ key: 'k' })));
  await worker.work([definition]);
  await count(done, 21);
  await worker.stop();
  const pauses = done.slice(1).map((at, before) => at - (done[before] ?? 0));
  // Some may be long where the machine has other things to do.
  expect(pauses.toSorted((a, b) => a - b)[10]).toBeLessThan(400);
});

it('begins another job beside each that takes long, up to a bound, and has no more workers than before in the end', async () => {
  const begins = vi.spyOn(PgBoss.prototype, 'work');
  const ends = vi.spyOn(PgBoss.prototype, 'offWork');
  const jobs = Array.from({ length: 5 }, (_, nth) => ({ nth }));
  const { begun, end, worker } = await runHeld({ concurrency: 1, atMost: 3 }, ...jobs);
  await count(begun, 3);
  end();
  await count(begun, 5);
  const begunWorkers = begins.mock.calls.filter(([name]) => name === 'forward_message');
  expect(begunWorkers).toHaveLength(3);
  await count(ends.mock.calls, 2);
  await worker.stop();
  vi.restoreAllMocks();
});

it('goes on with the worker that has done a long job: another would be asleep while the next of its key waits', async () => {
  const tenant_id = 't';
  const bounds = { concurrency: 1, atMost: 2, shares: { tenant_id: 2 } };
  const jobs = Array.from({ length: 20 }, () => ({ tenant_id, key: 'k' }));
  const { begun, end, worker } = await runHeld(bounds, ...jobs, { tenant_id });
  // The second is begun beside the first when that has become a long one, and from then on all are expected to be.
  await count(begun, 2);
  const workers = vi.spyOn(PgBoss.prototype, 'notifyWorker');
  end();
  await count(begun, 21);
  expect(new Set(workers.mock.calls.map(([id]) => id)).size).toBeLessThan(10);
  await worker.stop();
  vi.restoreAllMocks();
});

it('leaves the jobs of those alone who have their share, and knows jobs that name only some', async () => {
  const bounds = { concurrency: 2, atMost: 6, shares: { tenant_id: 3, instance_id: 2 } };
  const [tenant_id, instance_id] = ['t', 'i'];
  const crowd = Array.from({ length: 6 }, () => ({ tenant_id, instance_id }));
  const old = Array.from({ length: 6 }, () => ({ tenant_id }));
  const { begun, end, worker } = await runHeld(bounds, ...crowd, ...old, { tenant_id: 'other' });
  await vi.waitFor(() => expect(begun).toContainEqual({ tenant_id: 'other' }), { timeout: 60_000 });
  await count(begun, 4);
  expect(begun.filter((data) => 'instance_id' in data).length).toBeLessThanOrEqual(2);
  end();
  await count(begun, 13);
  await worker.stop();
});

it('gives jobs back that do not end in time when it stops, so that another process can take them at once', async () => {
  const jobs = Array.from({ length: 8 }, (_, nth) => ({ nth }));
  const { begun, end, worker } = await runHeld({ concurrency: 8, atMost: 8 }, ...jobs);
  await count(begun, 8);
  await worker.stop();
  const left = await database.query<{ state: string }>(
    `select distinct state from pgboss.job where name = 'forward_message'`,
  );
  end();
  expect(left).toEqual([{ state: 'retry' }]);
});

it('goes on when the clock is set back, this process’s and the database’s: what they noted lies ahead then', async () => {
  const { begun, end, worker } = await runHeld({ concurrency: 1, atMost: 1 }, { nth: 0 });
  await count(begun, 1);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 3 * HOUR_MS });
  // One that waits for its next try, and one whose process was killed.
  await database.query(
    `insert into pgboss.job (name, data, singleton_key, policy, retry_limit, retry_delay, heartbeat_seconds, state,
                             start_after, started_on, heartbeat_on)
     select 'forward_message', jsonb_build_object('nth', nth), nth::text, 'key_strict_fifo', 9, 0, 1,
            state::pgboss.job_state, hence, at_work, at_work
     from unnest(array['retry', 'active']) with ordinality as jobs (state, nth),
          lateral (select now() + interval '3 hours' as hence) as h,
          lateral (select case when state = 'active' then hence end as at_work) as a`,
  );
  await database.query(
    `update pgboss.queue set monitor_on = hence, monitor_claim_on = hence, maintain_on = hence
     from (select now() + interval '3 hours' as hence) as h`,
  );
  end();
  await count(begun, 3);
  await worker.stop();
});

it('looks at no job as long as the clock goes on: every two seconds it read all that were done within the hour', async () => {
  await database.query(
    `insert into pgboss.job (name, state, singleton_key)
     select 'forward_message', 'completed', n::text from generate_series(1, 1000) as n`,
  );
  expect(await rowsLookedAtBy(BRING_BACK)).toBeLessThan(100);
});

/** Resolves when the library has looked for jobs to delete: they are deleted when it begins to look once more. */
async function lookedForOld(): Promise<void> {
  for (const _ of ['once', 'once more']) {
    await database.query('update pgboss.queue set maintain_on = null');
    const waiting = () => database.query('select from pgboss.queue where maintain_on is null');
    await vi.waitFor(async () => expect(await waiting()).toEqual([]), { timeout: 60_000 });
  }
}

it('keeps a job for as long as it waits: without its own a message would stay behind the next one', async () => {
  const { begun, end, worker } = await runHeld({ concurrency: 1, atMost: 1 }, { nth: 0 });
  await count(begun, 1);
  const db = new Database({
    url: database.url,
    maxConnections: 1,
    onError: (error) => expect.unreachable(error.message),
  });
  const data = { tenant_id: 't', instance_id: 'i', channel_message_id: 'm' };
  await worker.enqueue(db.system, [{ name: 'forward_message', data, priority: 0, conversation: 'c' }]);
  await db.close();
  // As if it had waited for a month, while nobody worked.
  await database.query(`update pgboss.job set keep_until = keep_until - interval '1 month' where data = $1`, [
    data,
  ]);
  await lookedForOld();
  end();
  await count(begun, 2);
  await worker.stop();
});
