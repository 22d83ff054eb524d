import { BlockList } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { openTransaction } from '../support/connection.ts';
import { firstOf } from '../support/first-of.ts';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';

const AT_ONCE = 4;
const IN_ALL = 16;
const MAX_WAITING = 64;
const LARGE = 65 * 1024;

let service: TestService;
let tenant: TestTenant;
beforeAll(async () => {
  const forwardedForProxies = new BlockList();
  forwardedForProxies.addAddress('127.0.0.1');
  service = await startTestService({ runsJobs: false, forwardedForProxies });
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

/** How many large texts are parsed from now on. */
function countParsed(): () => number {
  const parse = vi.spyOn(JSON, 'parse');
  return () => parse.mock.calls.filter(([text]) => text.length > LARGE).length;
}

it('few large bodies of a tenant are parsed at once, more wait, and other tenants and small ones do not', async () => {
  const other = await service.createTenant();
  const { end } = await openTransaction(service.database.url, ['lock table recipes in share mode', []]);
  const parsed = countParsed();
  const answers = times(AT_ONCE + MAX_WAITING + 2, () => create());
  const refused = await firstOf(answers, 2);
  expect(refused.map(({ status, headers }) => [status, headers.get('retry-after')])).toEqual([
    [429, '1'],
    [429, '1'],
  ]);
  expect(parsed()).toBe(AT_ONCE);
  expect((await create(recipe(), other)).status).toBe(422);
  expect((await create({})).status).toBe(422);
  await end('rollback');
  const created = (await statuses(answers)).filter((status) => status === 201);
  expect(created).toHaveLength(AT_ONCE + MAX_WAITING);
});

it('a large body that is refused makes room for the next', async () => {
  const noJson = '['.repeat(LARGE);
  for (const _ of times(AT_ONCE, () => undefined)) {
    expect((await create(recipe())).status).toBe(422);
    expect((await tenant.api.request('POST', '/v1/recipes', { raw: noJson })).status).toBe(422);
    expect((await tenant.api.put(`/v1/recipes/${crypto.randomUUID()}`, recipe('Nobody’s'))).status).toBe(404);
  }
  expect((await create()).status).toBe(201);
});

it('a client that does not wait for its answer leaves no turn behind', async () => {
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

/** For an account of its own, for an account's failures are counted. */
const login = (address: string, nth: number) =>
  service.anonymous.with({ 'x-forwarded-for': address }).post('/auth/login', {
    email: `nobody-${nth}@example.com`,
    password: 'nothing',
    also: 'x'.repeat(LARGE),
  });

/** Sends large logins, of which none is answered until so many were parsed. @returns how many were by then */
async function parsedOf(addresses: readonly string[], expected: number): Promise<number> {
  const { end } = await openTransaction(service.database.url, ['lock table users', []]);
  const parsed = countParsed();
  const answers = addresses.map(login);
  await vi.waitFor(() => expect(parsed()).toBeGreaterThanOrEqual(expected), { timeout: 60_000 });
  // Those on their way come in before these.
  await Promise.all(addresses.map(() => service.anonymous.get('/healthz')));
  const count = parsed();
  await end('rollback');
  expect(await statuses(answers)).toEqual(addresses.map(() => 401));
  return count;
}

describe('of those who are not known', () => {
  it('few of one network are parsed at once, from whichever of its addresses', async () => {
    const addresses = Array.from({ length: AT_ONCE + 2 }, (_, nth) => `2001:db8::${nth}`);
    expect(await parsedOf(addresses, AT_ONCE)).toBe(AT_ONCE);
  });

  it('few of all networks are', async () => {
    const addresses = Array.from({ length: IN_ALL + 2 }, (_, nth) => `192.0.2.${nth}`);
    expect(await parsedOf(addresses, IN_ALL)).toBe(IN_ALL);
  });
});
