import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { RedisCounter } from '../../src/adapters/counters/redis-counter.ts';
import { createTestDatabase } from '../support/database.ts';
import { TestRedis } from '../support/redis.ts';
import { PASSWORD, startTestService, type TestService, type TestTenant } from '../support/service.ts';

const LIMIT = 20;
const PATH = '/v1/mcp/api-key-context';
/** For a busy machine; tests with a hanging Redis wait this long. */
const ANSWER_WITHIN_MS = 5000;

class Lines {
  readonly warnings: string[] = [];
  readonly news: string[] = [];
  readonly info = (_fields: object, message: string) => void this.news.push(message);
  readonly warn = (_fields: object, message: string) => void this.warnings.push(message);
  readonly error = this.warn;

  clear(): void {
    this.warnings.length = 0;
    this.news.length = 0;
  }
}

let redis: TestRedis;
let copies: TestService[];
let tenant: TestTenant;
const logs = [new Lines(), new Lines()];

const masterKey = Buffer.alloc(32, 7);

const first = () => copies[0] as TestService;
async function mint(limit: number): Promise<string> {
  const rate_limit = { limit, window_seconds: 60 };
  const key = { name: 'Limited', scopes: ['recipes:read'], rate_limit };
  return (await tenant.api.post<{ key: string }>('/v1/api-keys', key)).body.key;
}
const ask = (copy: TestService, key: string) => copy.anonymous.with({ 'x-api-key': key }).get(PATH);
const attempt = (copy: TestService, password: string) =>
  copy.anonymous.post('/auth/login', { email: tenant.admin_email, password });
const metric = async (copy: TestService, name: string) =>
  Number(
    new RegExp(`^${name} (\\S+)$`, 'm').exec(await (await fetch(`${copy.base_url}/metrics`)).text())?.[1],
  );

beforeAll(async () => {
  redis = await TestRedis.create();
  await redis.start();
  const database = await createTestDatabase();
  copies = [];
  for (const log of logs) {
    const counter = await RedisCounter.open(redis.url, log, ANSWER_WITHIN_MS);
    copies.push(await startTestService({ database, counter, master_key: masterKey, runsJobs: false }));
  }
  tenant = await first().createTenant();
});
afterAll(async () => {
  await copies[1]?.service.stop();
  await first().stop();
  await redis.remove();
});

describe('two copies with one Redis', () => {
  it('enforce a key’s limit exactly under concurrent requests', async () => {
    const key = await mint(LIMIT);
    const answers = await Promise.all(
      Array.from({ length: 3 * LIMIT }, (_, i) => ask(copies[i % 2] as TestService, key)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(LIMIT);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(2 * LIMIT);
  });

  it('share the count of failed logins', async () => {
    for (let i = 0; i < 10; i++) {
      expect((await attempt(copies[i % 2] as TestService, 'wrong')).status).toBe(401);
    }
    for (const copy of copies) expect((await attempt(copy, PASSWORD)).status).toBe(429);
  });
});

describe('while Redis', () => {
  it.each([
    ['is down', () => redis.stop(), () => redis.start()],
    ['hangs', async () => redis.hang(), async () => redis.goOn()],
  ])('%s each copy counts alone; afterwards they share again', async (_, leave, comeBack) => {
    for (const log of logs) log.clear();
    const key = await mint(LIMIT);
    expect((await ask(first(), key)).status).toBe(200);
    expect(await metric(first(), 'acp_rate_limit_store_up')).toBe(1);
    const failures = await metric(first(), 'acp_rate_limit_store_failures_total');
    await leave();
    const statuses = await Promise.all(Array.from({ length: LIMIT + 5 }, () => ask(first(), key)));
    expect(statuses.filter(({ status }) => status === 200)).toHaveLength(LIMIT);
    expect(statuses.filter(({ status }) => status === 429)).toHaveLength(5);
    expect(await metric(first(), 'acp_rate_limit_store_up')).toBe(0);
    expect(await metric(first(), 'acp_rate_limit_store_failures_total')).toBeGreaterThan(failures);
    expect(logs[0]?.warnings).toEqual([expect.stringMatching(/^Redis is away/)]);

    await comeBack();
    // No request must trigger the reconnection.
    for (const copy of copies) {
      const isUp = async () => (await metric(copy, 'acp_rate_limit_store_up')) === 1;
      await vi.waitUntil(isUp, { timeout: 60_000, interval: 100 });
    }
    expect(logs[0]?.news).toEqual([expect.stringMatching(/^Redis is back/)]);
    const other = await mint(1);
    const answers = await Promise.all(copies.map((copy) => ask(copy, other)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 429]);
  });

  it('is down at the start a copy counts alone and logs a warning', async () => {
    await redis.stop();
    const log = new Lines();
    const counter = await RedisCounter.open(redis.url, log);
    expect(await counter.count('key', 60)).toMatchObject({ count: 1 });
    expect(await counter.count('key', 60)).toMatchObject({ count: 2 });
    expect(log.warnings).toEqual([expect.stringMatching(/^Redis is away/)]);
    counter.close();
  });
});
