import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { MemoryCounter } from '../../src/adapters/counters/memory-counter.ts';
import { openTransaction } from '../support/connection.ts';
import { lockWaits } from '../support/database.ts';
import { holdNext } from '../support/hold.ts';
import { insertInstance } from '../support/instances.ts';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';

let service: TestService;
let tenant: TestTenant;
const counter = new MemoryCounter();

beforeAll(async () => {
  service = await startTestService({ counter });
  tenant = await service.createTenant();
});
afterAll(() => service.stop());

const rotate = (instance_id: string) =>
  tenant.api.post<{ proxy_key: string }>(`/v1/instances/${instance_id}/proxy-key`);

const keysOf = (instance_id: string) =>
  service.database.query<{ expires_at: Date | null }>(
    'select expires_at from proxy_keys where instance_id = $1',
    [instance_id],
  );

it('an instance has 3,000 requests a minute with all its keys, answers not counted', async () => {
  const { id, customer_id } = await insertInstance(service, tenant.tenant_id);
  const headers = { authorization: `Bearer ${(await rotate(id)).body.proxy_key}` };
  const base = `/internal/v1/instances/${id}`;
  const ask = () => service.anonymous.get(`${base}/staff?customer_id=${customer_id}`, headers);
  expect((await ask()).headers.get('x-ratelimit-limit')).toBe('3000');
  await counter.count(`instance:${id}`, 60, 2998);
  expect((await ask()).status).toBe(200);
  const refused = await ask();
  expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
  const answer = await service.anonymous
    .with(headers)
    .post(`${base}/conversations/${randomUUID()}/messages`, { text: 'x', idempotency_key: 'k' });
  expect(answer.status).toBe(404);
});

const HOLD = 'select from instances where id = $1 for update';

it('a rotated key works for ten more minutes, which another rotation does not extend', async () => {
  const { id, customer_id } = await insertInstance(service, tenant.tenant_id);
  // UUIDs are not case-sensitive.
  const path = `/internal/v1/instances/${id.toUpperCase()}/staff?customer_id=${customer_id}`;
  const keys: string[] = [];
  const statuses = async () => {
    const headers = keys.map((key) => ({ authorization: `Bearer ${key}` }));
    const answers = headers.map(async (header) => (await service.anonymous.get(path, header)).status);
    return Promise.all(answers);
  };
  const add = async () => keys.push((await rotate(id)).body.proxy_key);
  await add();
  await add();
  service.clock.advance(9 * 60_000);
  await add();
  expect(await statuses()).toEqual([200, 200, 200]);
  service.clock.advance(60_000);
  expect(await statuses()).toEqual([401, 200, 200]);
});

it('a new key is sent to the runtime at once, and is valid even if that fails', async () => {
  const { id, runtime_address: address } = await insertInstance(service, tenant.tenant_id);
  const { proxy_key } = (await rotate(id)).body;
  const secrets = { proxy_key, connections: {} };
  expect(service.runtimes.secrets).toContainEqual({ address, secrets });
  vi.spyOn(service.runtimes, 'putSecrets').mockRejectedValueOnce(new Error('The runtime is away'));
  expect((await rotate(id)).status).toBe(201);
});

it('after concurrent rotations the runtime has the newest key', async () => {
  const { id, runtime_address: address } = await insertInstance(service, tenant.tenant_id);
  const sending = holdNext(service.runtimes, 'putSecrets');
  const first = rotate(id);
  await sending.reached;
  const { proxy_key } = (await rotate(id)).body;
  sending.goOn();
  await first;
  const sent = service.runtimes.secrets.filter((secrets) => secrets.address === address);
  expect(sent.at(-1)).toEqual({ address, secrets: { proxy_key, connections: {} } });
});

it('after concurrent rotations all keys but one expire', async () => {
  const { id } = await insertInstance(service, tenant.tenant_id);
  const held = await openTransaction(service.database.url, [HOLD, [id]]);
  const rotations = [rotate(id), rotate(id), rotate(id)];
  try {
    await lockWaits(service.database, 3);
  } finally {
    await held.end('commit');
  }
  expect((await Promise.all(rotations)).map(({ status }) => status)).toEqual([201, 201, 201]);
  const keys = await keysOf(id);
  expect(keys).toHaveLength(3);
  expect(keys.filter(({ expires_at }) => expires_at === null)).toHaveLength(1);
});

it('an instance that is terminated during the rotation gets no key', async () => {
  const { id } = await insertInstance(service, tenant.tenant_id);
  const end = `update instances set status = 'terminated' where id = $1`;
  const ending = await openTransaction(service.database.url, [HOLD, [id]], [end, [id]]);
  const rotation = rotate(id);
  try {
    await lockWaits(service.database, 1);
  } finally {
    await ending.end('commit');
  }
  expect((await rotation).status).toBe(409);
  expect(await keysOf(id)).toEqual([]);
});

const deleteKeys = (instance_id: string) => tenant.api.delete(`/v1/instances/${instance_id}/proxy-key`);

describe('deleting the proxy keys of an instance', () => {
  it('takes effect at once, also for rotated keys', async () => {
    const { id } = await insertInstance(service, tenant.tenant_id);
    const path = `/internal/v1/instances/${id}/resolve-domain?hostname=example.com`;
    const keys = [(await rotate(id)).body.proxy_key, (await rotate(id)).body.proxy_key];
    const statuses = async () => {
      const answers = keys.map((key) => service.anonymous.get(path, { authorization: `Bearer ${key}` }));
      return (await Promise.all(answers)).map(({ status }) => status);
    };
    expect(await statuses()).toEqual([404, 404]);
    expect((await deleteKeys(id)).status).toBe(204);
    expect(await statuses()).toEqual([401, 401]);
    expect((await deleteKeys(id)).status).toBe(204);
  });

  it('gives a stopped instance a new key at its next start', async () => {
    const { id } = await insertInstance(service, tenant.tenant_id, { status: 'stopped' });
    const { proxy_key } = (await rotate(id)).body;
    expect((await deleteKeys(id)).status).toBe(204);
    expect((await tenant.api.post(`/v1/instances/${id}/start`)).status).toBe(202);
    const next = await vi.waitFor(
      () => service.engine.running.get(id)?.environment.PROXY_KEY ?? expect.unreachable(),
      { timeout: 60_000, interval: 20 },
    );
    expect(next).toMatch(/^apk_/);
    expect(next).not.toBe(proxy_key);
    const path = `/internal/v1/instances/${id}/resolve-domain?hostname=example.com`;
    expect((await service.anonymous.get(path, { authorization: `Bearer ${next}` })).status).toBe(404);
  });

  it('is 404 for another tenant’s instance, as for an unknown one', async () => {
    const stranger = await service.createTenant();
    const { id } = await insertInstance(service, stranger.tenant_id);
    await stranger.api.post(`/v1/instances/${id}/proxy-key`);
    const [foreign, missing] = [await deleteKeys(id), await deleteKeys(randomUUID())];
    expect([foreign.status, foreign.text]).toEqual([404, missing.text]);
    expect(await keysOf(id)).toHaveLength(1);
  });
});
