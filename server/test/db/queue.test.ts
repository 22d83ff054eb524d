import pg from 'pg';
import { PgBoss } from 'pg-boss';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { sessionAt } from '../../src/db/session.ts';
import { BossQueue, JOBS_SESSION, type JobDefinition } from '../../src/jobs/queue.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

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
  queue = new BossQueue({ url: database.url, log, works: false });
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
  vi.useFakeTimers({ toFake: ['Date'] });
  expect(lose('lost', 'refused', 'lost', 'refused')).toBe(2);
  vi.advanceTimersByTime(9000);
  expect(lose('lost', 'refused')).toBe(2);
  vi.advanceTimersByTime(2000);
  expect(lose('lost', 'refused', 'lost')).toBe(4);
});

it('tells of none once it has stopped: a database that stops at once ends them itself', async () => {
  await queue.stop();
  client.emit('error', new Error('lost'));
  expect(log.error).not.toHaveBeenCalled();
});

interface PlanNode {
  'Actual Rows': number;
  'Actual Loops': number;
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
  node['Actual Rows'] * node['Actual Loops'] + Plans.reduce((sum, plan) => sum + rowsLookedAt(plan), 0);

it('takes the next ordered job without a look at all that wait', async () => {
  const taken = vi.fn<JobDefinition['run']>(async () => {});
  const definition: JobDefinition = {
    name: 'forward_message',
    concurrency: 1,
    retry: { limit: 1, delaySeconds: 1, maxDelaySeconds: 1 },
    ordered: true,
    run: taken,
  };
  const worker = new BossQueue({ url: database.url, log, works: true });
  const statements = vi.spyOn(pg.Pool.prototype, 'query');
  await worker.start([definition]);
  await worker.work([definition]);
  const fetchOfTheQueue = () => statements.mock.calls.map(([text]) => text).find(isFetch);
  await vi.waitFor(() => expect(fetchOfTheQueue()).toBeDefined());
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
