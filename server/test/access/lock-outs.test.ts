import { BlockList } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Pair } from '../support/accounts.ts';
import { PASSWORD, startTestService, type TestService, type TestTenant } from '../support/service.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const HOME = '198.51.100.1';
const OFFICE = '198.51.100.2';
const STRANGER = '203.0.113.7';

let service: TestService;
let tenant: TestTenant;

beforeAll(async () => {
  const forwardedForProxies = new BlockList();
  forwardedForProxies.addAddress('127.0.0.1');
  service = await startTestService({ runsJobs: false, forwardedForProxies });
});
afterAll(() => service.stop());
beforeEach(async () => {
  tenant = await service.createTenant();
});

const from = (address: string, password = PASSWORD) =>
  service.anonymous
    .with({ 'x-forwarded-for': address })
    .post<Pair>('/auth/login', { email: tenant.admin_email, password });
const statusFrom = async (address: string, password?: string) => (await from(address, password)).status;
/** The account's maximum of failures: 10 from each of 20 networks. */
async function exhaust(): Promise<void> {
  for (let network = 1; network <= 20; network++) {
    const guesses = Array.from({ length: 10 }, () => statusFrom(`192.0.2.${network}`, 'wrong'));
    expect(new Set(await Promise.all(guesses))).toEqual(new Set([401]));
  }
}

it('a stranger locks itself out, and nobody else', async () => {
  for (let nth = 1; nth <= 10; nth++) expect(await statusFrom(STRANGER, 'wrong')).toBe(401);
  expect(await statusFrom(STRANGER)).toBe(429);
  expect(await statusFrom(HOME)).toBe(200);
});

it('two hundred failures lock an account except for networks of recent logins', async () => {
  expect(await statusFrom(HOME)).toBe(200);
  await exhaust();
  expect(await statusFrom('192.0.2.99')).toBe(429);
  expect(await statusFrom(HOME)).toBe(200);
  // Ten failures lock a known network, too.
  for (let nth = 1; nth <= 10; nth++) expect(await statusFrom(HOME, 'wrong')).toBe(401);
  expect(await statusFrom(HOME)).toBe(429);
});

it('an IPv6 address is known by its network', async () => {
  expect(await statusFrom('2001:db8:0:7::1')).toBe(200);
  await exhaust();
  expect(await statusFrom('2001:db8:0:7:ffff::2')).toBe(200);
  expect(await statusFrom('2001:db8:0:8::1')).toBe(429);
});

it('a login 31 days ago does not make its network known', async () => {
  expect(await statusFrom(HOME)).toBe(200);
  service.clock.advance(31 * DAY_MS);
  await exhaust();
  expect(await statusFrom(HOME)).toBe(429);
});

it('an account with the same address elsewhere does not make its network known here', async () => {
  const other = await service.createTenant();
  await other.api.post('/v1/users', {
    email: tenant.admin_email,
    password: 'attacker-knows-this-1',
    role: 'member',
  });
  expect(await statusFrom(STRANGER, 'attacker-knows-this-1')).toBe(200);
  await exhaust();
  expect(await statusFrom(STRANGER, 'attacker-knows-this-1')).toBe(200);
  // The password is right, but the account is locked for this network.
  expect(await statusFrom(STRANGER)).toBe(401);
});

it('a network with too many failures still admits users who recently signed in from it', async () => {
  expect(await statusFrom(OFFICE)).toBe(200);
  const client = service.anonymous.with({ 'x-forwarded-for': OFFICE });
  const guess = (nth: number) =>
    client.post('/auth/login', { email: `user-${nth}@example.com`, password: 'wrong' });
  const guesses = await Promise.all(Array.from({ length: 101 }, (_, nth) => guess(nth)));
  expect(guesses.filter(({ status }) => status === 429)).toHaveLength(1);
  expect(await statusFrom(OFFICE)).toBe(200);
});
