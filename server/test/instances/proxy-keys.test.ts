import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { openTransaction } from '../support/connection.ts';
import { lockWaits } from '../support/database.ts';
import { holdNext } from '../support/hold.ts';
import { insertInstance } from '../support/instances.ts';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';

let service: TestService;
let tenant: TestTenant;

beforeAll(async () => {
  service = await startTestService();
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

const HOLD = 'select from instances where id = $1 for update';

it('a rotated key works for ten more minutes, which another rotation does not extend', async () => {
  const { id, customer_id } = await insertInstance(service, tenant.tenant_id);
  // The case of a UUID does not matter.
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

it('a new key is sent to the runtime at once, and is valid even if the runtime cannot be reached', async () => {
  const { id, runtime_address: address } = await insertInstance(service, tenant.tenant_id);
  const { proxy_key } = (await rotate(id)).body;
  const secrets = { proxy_key, connections: {} };
  expect(service.runtimes.secrets).toContainEqual({ address, secrets });
  vi.spyOn(service.runtimes, 'putSecrets').mockRejectedValueOnce(new Error('The runtime is away'));
  expect((await rotate(id)).status).toBe(201);
});

it('after concurrent rotations the runtime has the newest key, in whatever order they were sent', async () => {
  const { id, runtime_address: address } = await insertInstance(service, tenant.tenant_id);
  const telling = holdNext(service.runtimes, 'putSecrets');
  const first = rotate(id);
  await telling.reached;
  const { proxy_key } = (await rotate(id)).body;
  telling.goOn();
  await first;
  const told = service.runtimes.secrets.filter((secrets) => secrets.address === address);
  expect(told.at(-1)).toEqual({ address, secrets: { proxy_key, connections: {} } });
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

it('an instance that is terminated meanwhile gets no key', async () => {
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
