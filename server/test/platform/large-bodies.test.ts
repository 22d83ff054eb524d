import { BlockList } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { openTransaction } from '../support/connection.ts';
import { firstOf } from '../support/first-of.ts';
import { PATIENT_WAITS, startTestService, type TestService, type TestTenant } from '../support/service.ts';

const AT_ONCE = 4;
const IN_ALL = 16;
const MAX_WAITING = 64;
const LARGE = 65 * 1024;

let service: TestService;
let tenant: TestTenant;
beforeAll(async () => {
  const forwardedForProxies = new BlockList();
  forwardedForProxies.addAddress('127.0.0.1');
  service = await startTestService({ databaseWaits: PATIENT_WAITS, runsJobs: false, forwardedForProxies });
  tenant = await service.createTenant();
});
afterEach(() => {
  vi.restoreAllMocks();
});
afterAll(() => service.stop());

const recipe = (name?: string) => ({ name, system_prompt: 'x'.repeat(LARGE) });
const create = (body: object = recipe('Large'), of = tenant) => of.api.post('/v1/recipes', body);
const statuses = async (answers: readonly Promise<{ status: number }>[]) =>
  (await Promise.all(answers)).map(({ status }) => status);
const times = <T>(count: number, make: () => T) => Array.from({ length: count }, make);

/** @returns a counter of large texts parsed from now on */
function countParsed(): () => number {
  const parse = vi.spyOn(JSON, 'parse');
  return () => parse.mock.calls.filter(([text]) => text.length > LARGE).length;
}

it('the large bodies of a tenant wait for its permits, without delaying other tenants and small bodies', async () => {
  const other = await service.createTenant();
  const { end } = await openTransaction(service.database.url, ['lock table recipes in share mode', []]);
  const parsed = countParsed();
  const answers = times(AT_ONCE + MAX_WAITING + 2, () => create());
  const refused = await firstOf(answers, 2);
  expect(refused.map(({ status, headers }) => [status, headers.get('retry-after')])).toEqual([
    [429, '1'],
    [429, '1'],
  ]);
  // Refusals may come before the admitted ones are parsed.
  await vi.waitFor(() => expect(parsed()).toBe(AT_ONCE), { timeout: 60_000 });
  expect((await create(recipe(), other)).status).toBe(422);
  expect((await create({})).status).toBe(422);
  await end('rollback');
  const created = (await statuses(answers)).filter((status) => status === 201);
  expect(created).toHaveLength(AT_ONCE + MAX_WAITING);
});

it('a refused large body releases its permit', async () => {
  const noJson = '['.repeat(LARGE);
  for (const _ of times(AT_ONCE, () => undefined)) {
    expect((await create(recipe())).status).toBe(422);
    expect((await tenant.api.request('POST', '/v1/recipes', { raw: noJson })).status).toBe(422);
    expect((await tenant.api.put(`/v1/recipes/${crypto.randomUUID()}`, recipe('Nobody’s'))).status).toBe(404);
  }
  expect((await create()).status).toBe(201);
});

it('a disconnected client releases its permit', async () => {
  const { end } = await openTransaction(service.database.url, ['lock table recipes in share mode', []]);
  const parsed = countParsed();
  const wish = new AbortController();
  const left = times(AT_ONCE, () =>
    fetch(`${service.base_url}/v1/recipes`, {
      method: 'POST',
      body: JSON.stringify(recipe('Left')),
      headers: { 'content-type': 'application/json', ...tenant.api.headers },
      signal: wish.signal,
    }),
  );
  await vi.waitFor(() => expect(parsed()).toBe(AT_ONCE), { timeout: 60_000 });
  wish.abort();
  expect((await Promise.allSettled(left)).map(({ status }) => status)).toEqual(left.map(() => 'rejected'));
  await end('rollback');
  expect((await create()).status).toBe(201);
});

/** Different accounts, because failures are counted per account. */
const login = (address: string, nth: number) =>
  service.anonymous.with({ 'x-forwarded-for': address }).post('/auth/login', {
    email: `nobody-${nth}@example.com`,
    password: 'nothing',
    also: 'x'.repeat(LARGE),
  });

/** Sends large logins, which wait until `expected` were parsed. @returns how many were parsed by then */
async function parsedOf(addresses: readonly string[], expected: number): Promise<number> {
  const { end } = await openTransaction(service.database.url, ['lock table users', []]);
  const parsed = countParsed();
  const answers = addresses.map(login);
  await vi.waitFor(() => expect(parsed()).toBeGreaterThanOrEqual(expected), { timeout: 60_000 });
  // Earlier requests arrive before these.
  await Promise.all(addresses.map(() => service.anonymous.get('/healthz')));
  const count = parsed();
  await end('rollback');
  expect(await statuses(answers)).toEqual(addresses.map(() => 401));
  return count;
}

describe('of anonymous callers', () => {
  it('bodies of one network share permits, whatever the address', async () => {
    const addresses = Array.from({ length: AT_ONCE + 2 }, (_, nth) => `2001:db8::${nth}`);
    expect(await parsedOf(addresses, AT_ONCE)).toBe(AT_ONCE);
  });

  it('bodies of all networks share the total of permits', async () => {
    const addresses = Array.from({ length: IN_ALL + 2 }, (_, nth) => `192.0.2.${nth}`);
    expect(await parsedOf(addresses, IN_ALL)).toBe(IN_ALL);
  });
});
