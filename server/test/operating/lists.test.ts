import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { insertInstance } from '../support/instances.ts';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';
import { createEndpoint, sendMessages, textMessage } from '../support/webhook.ts';

interface Page {
  items: Record<string, unknown>[];
  total: number;
}

let service: TestService;
let first: TestTenant;
let second: TestTenant;
let instance_id: string;

beforeAll(async () => {
  service = await startTestService({ runsJobs: false });
  [first, second] = [await service.createTenant('First'), await service.createTenant('Second')];
  const endpoint = await createEndpoint(service, first);
  instance_id = endpoint.instance.id;
  await sendMessages(
    service,
    endpoint,
    textMessage('1', 'Words'),
    textMessage('2', 'Words', '4917012345678'),
  );
  await sendMessages(service, await createEndpoint(service, second), textMessage('3', 'Words'));
  await insertInstance(service, second.tenant_id, { status: 'terminated' });
  await service.database.query(
    `update channel_messages set status = 'dead', last_error = 'Given up' where message_id = '2'`,
  );
  await service.database.query(
    `update channel_messages set status = 'handled', finished_at = now() where message_id = '3'`,
  );
  await service.database.query(
    `insert into tasks (tenant_id, instance_id, kind, status) values ($1, $2, 'start', 'queued')`,
    [first.tenant_id, instance_id],
  );
});
afterAll(() => service.stop());

const list = async (path: string) => {
  const { status, body } = await service.operations.get<Page>(`/internal/v1/${path}`);
  expect(status).toBe(200);
  expect(body.total).toBe(body.items.length);
  return body.items;
};

it('shows the instances, tasks and messages of all tenants, or of one', async () => {
  expect(await list('instances')).toHaveLength(3);
  expect(await list(`instances?tenant_id=${second.tenant_id}`)).toHaveLength(2);
  expect(await list('instances?status=terminated')).toMatchObject([
    { tenant_id: second.tenant_id, host_id: null },
  ]);
  expect(await list('tasks?status=queued')).toMatchObject([
    { tenant_id: first.tenant_id, instance_id, kind: 'start' },
  ]);
  expect(await list(`tasks?tenant_id=${second.tenant_id}`)).toEqual([]);
  expect(await list('messages')).toHaveLength(3);
  expect(await list(`messages?tenant_id=${first.tenant_id}`)).toHaveLength(2);
});

it.each([
  ['pending', [{ status: 'pending', direction: 'in', last_error: null }]],
  ['dead', [{ status: 'dead', last_error: 'Given up' }]],
  ['delivered', [{ status: 'delivered' }]],
  ['failed', []],
  ['read', []],
])('shows %s messages without content and addresses', async (status, expected) => {
  const items = await list(`messages?status=${status}`);
  expect(items).toHaveLength(expected.length);
  expect(items).toMatchObject(expected);
  expect(JSON.stringify(items)).not.toMatch(/Words|4917012345678|4915112345678/);
});

it('shows inactive tiers, regions and models', async () => {
  const tier_id = randomUUID();
  await service.operations.put(`/internal/v1/tiers/${tier_id}`, { name: 'Old', is_active: false });
  await service.operations.put('/internal/v1/regions/old', {
    is_active: false,
    chatapp_api_base_url: 'http://old.example',
  });
  await service.operations.put('/internal/v1/models', { models: [{ model_id: 'old', is_active: false }] });
  expect(await list('tiers?per_page=100')).toContainEqual(
    expect.objectContaining({ id: tier_id, is_active: false }),
  );
  expect(await list('regions?per_page=100')).toContainEqual(
    expect.objectContaining({ id: 'old', chatapp_api_base_url: 'http://old.example' }),
  );
  expect((await list('models?per_page=100'))[0]).toMatchObject({ model_id: 'old', is_active: false });
});

it('shows hosts with their instances, and the authority’s keys without private keys', async () => {
  const host = randomUUID();
  await service.database.query(`insert into runtime_hosts values ($1, now() - interval '1 hour')`, [host]);
  await service.database.query('update runtimes set host_id = $1 where instance_id = $2', [
    host,
    instance_id,
  ]);
  expect(await list('hosts')).toMatchObject([{ id: host, state: 'dead', instances: 1 }]);
  const keys = await list('ca');
  expect(new Set(keys.map(({ kind }) => kind))).toEqual(new Set(['issuing', 'root']));
  expect(Object.keys(keys[0] ?? {})).not.toContain('sealed_private_key');
});

it('is only for the operator', async () => {
  for (const name of ['tiers', 'regions', 'models', 'hosts', 'instances', 'tasks', 'messages', 'ca']) {
    expect((await first.api.get(`/internal/v1/${name}`)).status).toBe(401);
  }
});
