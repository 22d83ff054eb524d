import { randomBytes } from 'node:crypto';
import { BlockList } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { insertInstance } from '../support/instances.ts';
import { startTestService, type TestService } from '../support/service.ts';

const MOST = 100;

let service: TestService;

beforeAll(async () => {
  const forwardedForProxies = new BlockList();
  forwardedForProxies.addAddress('127.0.0.1');
  service = await startTestService({ runsJobs: false, forwardedForProxies });
});
afterAll(() => service.stop());

const from = (address: string) => ({ 'x-forwarded-for': address });
const operator = (address: string) => service.operations.with(from(address)).get('/internal/v1/tenants');
const send = (address: string, token: string, path = '/internal/v1/tenants') =>
  service.anonymous.with({ ...from(address), authorization: `Bearer ${token}` }).get(path);
const guess = (address: string, path?: string) => send(address, randomBytes(16).toString('hex'), path);

const statusesOf = async (guesses: ReturnType<typeof guess>[]) =>
  (await Promise.all(guesses)).map(({ status }) => status);
const spend = (address: string) => statusesOf(Array.from({ length: MOST }, () => guess(address)));

it('allows a bounded number of guesses per address, then refuses right ones, too', async () => {
  const address = '192.0.2.1';
  expect(new Set(await spend(address))).toEqual(new Set([401]));
  const refused = await guess(address);
  expect(refused.status).toBe(429);
  const retryAfter = Number(refused.headers.get('retry-after'));
  expect(retryAfter > 0 && retryAfter <= 60).toBe(true);
  expect(refused.body).toEqual({ detail: expect.any(String) });
  expect((await operator(address)).status).toBe(429);
  expect((await operator('192.0.2.2')).status).toBe(200);
});

it('counts guesses per IPv6 network, also on the routes of instances', async () => {
  const { tenant_id } = await service.createTenant();
  const { id } = await insertInstance(service, tenant_id);
  const path = `/internal/v1/instances/${id}/resolve-domain?hostname=example.com`;
  const guesses = Array.from({ length: MOST + 1 }, (_, index) =>
    guess(`2001:db8:0:1::${index.toString(16)}`, index % 2 ? path : undefined),
  );
  const statuses = await statusesOf(guesses);
  expect(statuses.filter((status) => status === 401)).toHaveLength(MOST);
  expect(statuses.filter((status) => status === 429)).toHaveLength(1);
});

it('works from an address where it worked before, despite guesses from there', async () => {
  const address = '192.0.2.3';
  expect((await operator(address)).status).toBe(200);
  await spend(address);
  expect((await guess(address)).status).toBe(429);
  expect((await operator(address)).status).toBe(200);
});

it('does not count other credentials as guesses, and guesses block no proxy key', async () => {
  const address = '192.0.2.4';
  const tenant = await service.createTenant();
  const { id } = await insertInstance(service, tenant.tenant_id);
  const { body } = await tenant.api.post<{ proxy_key: string }>(`/v1/instances/${id}/proxy-key`);
  const path = `/internal/v1/instances/${id}/resolve-domain?hostname=example.com`;
  const ended = `apk_${randomBytes(32).toString('base64url')}`;
  for (const token of [ended, tenant.key, 'e30.e30.e30']) {
    const statuses = await statusesOf(Array.from({ length: MOST + 1 }, () => send(address, token, path)));
    expect(new Set(statuses)).toEqual(new Set([401]));
  }
  await spend(address);
  expect((await guess(address)).status).toBe(429);
  expect((await send(address, body.proxy_key, path)).status).toBe(404);
});
