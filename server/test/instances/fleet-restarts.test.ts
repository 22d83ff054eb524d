import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createCustomer } from '../support/customers.ts';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';

const TIER = randomUUID();
const WAIT = { timeout: 60_000 };

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  await service.operations.put(`/internal/v1/tiers/${TIER}`, { name: 'T' });
  await service.operations.put('/internal/v1/regions/eu-1', { name: 'Europe' });
});
afterAll(() => service.stop());

interface Task {
  instance_id: string;
  status: string;
  kind: string;
}

async function deploy({ api }: TestTenant, fields: object = {}): Promise<string> {
  const recipe = await api.post<{ id: string }>('/v1/recipes', { name: 'R', ...fields });
  const customer_id = await createCustomer({ api });
  const place = { tier_id: TIER, region_id: 'eu-1', hostname: 'h' };
  const request = { recipe_id: recipe.body.id, customer_id, ...place };
  const { body } = await api.post<{ instance_id: string }>('/v1/recipes/deploy', request);
  await vi.waitFor(async () => {
    const { body: instance } = await api.get(`/v1/instances/${body.instance_id}`);
    expect(instance).toMatchObject({ status: 'running' });
  }, WAIT);
  return body.instance_id;
}

const restartAll = (body: object) =>
  service.operations.post<{ count: number }>('/internal/v1/instances/restart', body);

const tasksOf = async ({ tenant_id }: TestTenant) =>
  (
    await service.operations.get<{ items: Task[] }>(`/internal/v1/tasks?per_page=100&tenant_id=${tenant_id}`)
  ).body.items.filter(({ kind }) => kind === 'restart');

const haveEnded = (tenants: readonly TestTenant[], status: string, count: number) =>
  vi.waitFor(async () => {
    const tasks = (await Promise.all(tenants.map(tasksOf))).flat();
    expect(tasks.map((task) => task.status)).toEqual(Array.from({ length: count }, () => status));
  }, WAIT);

interface Start {
  instance_id: string;
  begun: number;
}
const idsOf = (starts: readonly Start[]) => [...new Set(starts.map(({ instance_id }) => instance_id))];

const generationOf = async ({ api }: TestTenant, id: string) =>
  (await api.get<{ runtime: { generation: number } }>(`/v1/instances/${id}`)).body.runtime.generation;

/**
 * Tenants' instances, restarted from now on, in the order of their starts, each with the tasks that had begun by then. The
 * first one waits for the second, so that no later restart passes it.
 */
function watchStarts() {
  const starts: Start[] = [];
  const { engine, database } = service;
  const ensure = engine.ensure.bind(engine);
  vi.spyOn(engine, 'ensure').mockImplementation(async (spec, mint) => {
    const [row] = await database.query<{ begun: number }>(
      `select count(*)::int as begun from tasks where kind = 'restart' and status = 'running'`,
    );
    starts.push({ instance_id: spec.instance_id, begun: row?.begun ?? 0 });
    await vi.waitFor(() => expect(idsOf(starts).length).toBeGreaterThan(1), WAIT);
    await ensure(spec, mint);
  });
  return starts;
}

it('restarts the running instances of all tenants, at most so many at once, tenants in turn', async () => {
  const tenants = [await service.createTenant(), await service.createTenant()];
  const [first, second] = tenants as [TestTenant, TestTenant];
  const many = [await deploy(first), await deploy(first), await deploy(first), await deploy(first)];
  const one = await deploy(second);
  const stopped = await deploy(second);
  await second.api.post(`/v1/instances/${stopped}/stop`);
  await vi.waitFor(async () => {
    expect((await second.api.get(`/v1/instances/${stopped}`)).body).toMatchObject({ status: 'stopped' });
  }, WAIT);
  const starts = watchStarts();
  const answer = await restartAll({ at_once: 2 });
  expect(answer).toMatchObject({ status: 202, body: { count: 5 } });
  expect((await tasksOf(first)).map(({ status }) => status)).toHaveLength(4);
  await haveEnded(tenants, 'succeeded', 5);
  vi.restoreAllMocks();
  expect(Math.max(...starts.map(({ begun }) => begun))).toBeLessThanOrEqual(2);
  expect(idsOf(starts).slice(0, 2)).toContain(one);
  for (const id of many) expect(await generationOf(first, id)).toBe(2);
  expect(await service.database.query('select from fleet_restarts')).toEqual([]);
  const audited = await Promise.all(
    tenants.map(
      async ({ api }) => (await api.get<{ items: { operation: string }[] }>('/v1/audit/changes')).body.items,
    ),
  );
  for (const items of audited)
    expect(items.filter(({ operation }) => operation === 'restart_instances')).toHaveLength(1);
});

it('takes those of a tenant, a manifest or a cluster alone, and knows no other ones', async () => {
  const tenant = await service.createTenant();
  const manifest_id = `m-${randomUUID()}`;
  await service.operations.put(`/internal/v1/manifests/${manifest_id}`, { command: ['agent'] });
  const other = await deploy(tenant);
  const id = await deploy(tenant, { manifest_id });
  const { tenant_id } = tenant;
  expect((await restartAll({ tenant_id, manifest_id, cluster_id: 'default' })).body).toEqual({ count: 1 });
  await haveEnded([tenant], 'succeeded', 1);
  expect([await generationOf(tenant, id), await generationOf(tenant, other)]).toEqual([2, 1]);
  for (const unknown of [{ tenant_id: randomUUID() }, { manifest_id: 'none' }, { cluster_id: 'none' }])
    expect((await restartAll(unknown)).status).toBe(404);
  for (const at_once of [0, 101, '3']) expect((await restartAll({ at_once })).status).toBe(422);
});

it('gives way to stops and terminations of instances whose turn has not come, and skips busy ones', async () => {
  const tenant = await service.createTenant();
  const ids = [await deploy(tenant), await deploy(tenant), await deploy(tenant)];
  // No restart begins.
  const held = `create function hold_fleet() returns trigger language plpgsql as $$ begin return null; end $$`;
  await service.database.query(held);
  await service.database.query(
    `create trigger hold_fleet before insert on jobs for each row when (new.kind = 'restart_fleet') execute function hold_fleet()`,
  );
  const { tenant_id } = tenant;
  expect((await restartAll({ tenant_id })).body).toEqual({ count: 3 });
  expect((await restartAll({ tenant_id })).body).toEqual({ count: 0 });
  const [stopped, ended, again] = ids as [string, string, string];
  expect((await tenant.api.post(`/v1/instances/${stopped}/upgrade`, {})).status).toBe(409);
  expect((await tenant.api.post(`/v1/instances/${stopped}/stop`)).status).toBe(202);
  expect((await tenant.api.request('DELETE', `/v1/instances/${ended}`)).status).toBe(202);
  expect((await tenant.api.post(`/v1/instances/${again}/restart`)).status).toBe(202);
  await vi.waitFor(async () => {
    const statuses = (await tasksOf(tenant)).map(({ status }) => status).toSorted();
    expect(statuses).toEqual(['canceled', 'canceled', 'canceled', 'succeeded']);
  }, WAIT);
  await service.database.query('drop function hold_fleet cascade');
});
