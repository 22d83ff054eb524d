import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { BossQueue } from '../../src/jobs/queue.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const log = { error: vi.fn(), warn: vi.fn(), info: vi.fn(), debug: vi.fn() };
let database: TestDatabase;
let queue: BossQueue;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

beforeEach(async () => {
  const connections = vi.spyOn(pg.Client.prototype, 'connect');
  queue = new BossQueue({ url: database.url, log, works: false });
  await queue.start([]);
  client = connections.mock.contexts[0] as pg.Client;
  connections.mockRestore();
});
afterEach(() => {
  vi.clearAllMocks();
});

it('tells of a connection that is lost', async () => {
  client.emit('error', new Error('lost'));
  expect(log.error).toHaveBeenCalledTimes(1);
  await queue.stop();
});

it('tells of none once it has stopped: a database that stops at once ends them itself', async () => {
  await queue.stop();
  client.emit('error', new Error('lost'));
  expect(log.error).not.toHaveBeenCalled();
});
