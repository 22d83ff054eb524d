import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import { insertInstance, placeCustomer } from '../support/instances.ts';
import { sharedService, type TestService, type TestTenant } from '../support/service.ts';

interface Instance {
  id: string;
  customer_id: string | null;
  customer_name: string | null;
  recipe_id: string;
  recipe_name: string | null;
  recipe_revision: number;
  latest_revision: number | null;
  last_error: string | null;
  status: string;
  task: object | null;
  budget: object;
}

interface Task {
  task_id: string;
  instance_id: string;
  hostname: string;
  status: string;
}

let service: TestService;
let tenant: TestTenant;
beforeAll(async () => {
  service = await sharedService('idle');
});

async function addTenant() {
  tenant = await service.createTenant();
}

const add = (options: Parameters<typeof insertInstance>[2] = {}) =>
  insertInstance(service, tenant.tenant_id, options);

async function list<Row = Instance>(path: string, api: Client = tenant.api): Promise<Row[]> {
  const { status, body, text } = await api.get<{ items: Row[] }>(path);
  expect(status, text).toBe(200);
  return body.items;
}

const statuses = async (query: string) =>
  (await list(`/v1/instances?${query}`)).map(({ status }) => status).toSorted();

const get = async (id: string, api: Client = tenant.api) =>
  (await api.get<Instance>(`/v1/instances/${id}`)).body;

const addTask = async (instance_id: string, kind: string, status: string): Promise<string> => {
  const [task] = await service.database.query<{ id: string }>(
    `insert into tasks (tenant_id, instance_id, kind, status, step, progress)
     values ($1, $2, $3, $4, 'allocate', 20) returning id`,
    [tenant.tenant_id, instance_id, kind, status],
  );
  return task?.id ?? expect.unreachable();
};

const nameCustomer = (id: string, fields: object) =>
  service.database.query(
    `update customers set email = $2::jsonb ->> 'email', company_name = $2::jsonb ->> 'company_name' where id = $1`,
    [id, JSON.stringify(fields)],
  );

describe('a list of instances', () => {
  beforeAll(addTenant);

  it('has several statuses, or those that are not terminated', async () => {
    for (const status of ['running', 'failed', 'stopped', 'terminated']) await add({ status });
    expect(await statuses('status=failed,running')).toEqual(['failed', 'running']);
    expect(await statuses('status=stopped')).toEqual(['stopped']);
    expect(await statuses('live=true')).toEqual(['failed', 'running', 'stopped']);
    expect(await statuses('live=true&status=running,terminated')).toEqual(['running']);
    expect(await statuses('live=false')).toHaveLength(4);
  });

  it.each(['status=running,gone', 'status=', 'status=running,'])('refuses %s', async (query) => {
    const { status, body } = await tenant.api.get(`/v1/instances?${query}`);
    expect(status).toBe(422);
    expect(body).toMatchObject({ detail: [{ loc: ['query', 'status'], type: 'literal_error' }] });
  });
});

describe('an instance', () => {
  beforeAll(addTenant);

  it('shows its recipe’s name and revision now', async () => {
    const { id } = await add();
    const { recipe_id } = await get(id);
    expect((await tenant.api.put(`/v1/recipes/${recipe_id}`, { name: 'Renamed' })).status).toBe(200);
    const now = { recipe_name: 'Renamed', recipe_revision: 1, latest_revision: 2 };
    expect(await get(id)).toMatchObject(now);
    expect(await list('/v1/instances')).toContainEqual(expect.objectContaining({ id, ...now }));
    await tenant.api.request('DELETE', `/v1/recipes/${recipe_id}`);
    expect(await get(id)).toMatchObject({ recipe_name: 'Renamed', latest_revision: null });
  });

  it('shows its customer’s e-mail address in the place of a name to those who may read customers', async () => {
    const { id, customer_id } = await add();
    const headers = async (scopes: string[], role?: 'admin') => ({
      'x-api-key': await service.createKey(tenant.tenant_id, { scopes, ...(role && { role }) }),
    });
    const all = ['instances:read', 'customers:read'];
    const reader = service.anonymous.with(await headers(all, 'admin'));
    const member = service.anonymous.with(await headers(all));
    const namesFor = async (api: Client) => {
      const [row] = await list('/v1/instances?customer_id=' + customer_id, api);
      return [row?.customer_name, (await get(id, api)).customer_name];
    };
    await nameCustomer(customer_id, { email: 'ops@example.com' });
    expect(await namesFor(reader)).toEqual(['ops@example.com', 'ops@example.com']);
    expect(await namesFor(member)).toEqual([null, null]);
    await nameCustomer(customer_id, { email: 'ops@example.com', company_name: 'Harbour' });
    expect(await namesFor(reader)).toEqual(['Harbour', 'Harbour']);
    expect(await namesFor(member)).toEqual(['Harbour', 'Harbour']);
  });

  it('shows the unfinished task', async () => {
    const { id } = await add();
    await addTask(id, 'provision', 'succeeded');
    expect((await get(id)).task).toBeNull();
    const task_id = await addTask(id, 'provision', 'running');
    const task = { id: task_id, kind: 'deploy', status: 'running', step: 'allocate', progress: 20 };
    expect((await get(id)).task).toEqual(task);
    expect(await list('/v1/instances')).toContainEqual(expect.objectContaining({ id, task }));
  });

  it('says why it failed, while it is failed', async () => {
    const { id } = await add({ status: 'failed' });
    const addEvent = (from: string, to: string, message: string) =>
      service.database.query(
        `insert into instance_events (tenant_id, instance_id, "from", "to", message) values ($1, $2, $3, $4, $5)`,
        [tenant.tenant_id, id, from, to, message],
      );
    await addEvent('provisioning', 'failed', 'The health check failed');
    await addEvent('failed', 'failed', 'Something else happened');
    expect((await get(id)).last_error).toBe('The health check failed');
    await service.database.query(`update instances set status = 'running' where id = $1`, [id]);
    expect((await get(id)).last_error).toBeNull();
  });

  it('shows its budget and what was spent of it', async () => {
    const { id, customer_id } = await add();
    const noLimit = { monthly_cost: null, monthly_tokens: null, per: 'instance' };
    expect((await get(id)).budget).toEqual({
      ...noLimit,
      spent_cost: '0',
      spent_tokens: 0,
      resets_at: expect.stringMatching(/-01T00:00:00\.000Z$/),
    });
    await service.database.query(
      `insert into llm_spending (tenant_id, month, customer_id, instance_id, cost, tokens, reserved_cost, reserved_tokens)
       select $1, date_trunc('month', now() at time zone 'UTC'), c, i, cost, tokens, 0, 0
       from (values (null::uuid, $2::uuid, 1.50, 7), ($3::uuid, null::uuid, 4, 9)) v (c, i, cost, tokens)`,
      [tenant.tenant_id, id, customer_id],
    );
    const configure = (budget: object) =>
      service.database.query(`update instances set resolved_config = $2 where id = $1`, [
        id,
        { model_policy: { budget } },
      ]);
    await configure({ monthly_cost: 20 });
    expect((await get(id)).budget).toMatchObject({ monthly_cost: '20', spent_cost: '1.5', spent_tokens: 7 });
    await configure({ monthly_tokens: 100, per: 'customer' });
    const ofCustomer = { monthly_tokens: 100, per: 'customer', spent_cost: '4', spent_tokens: 9 };
    expect((await get(id)).budget).toMatchObject(ofCustomer);
  });
});

it('lists tasks with their instances’ names', async () => {
  await addTenant();
  const [first, second] = [await add(), await add()];
  const ended = await addTask(first.id, 'provision', 'succeeded');
  const stop = await addTask(first.id, 'stop', 'running');
  const other = await addTask(second.id, 'provision', 'queued');
  const ids = async (query: string) => (await list<Task>(`/v1/tasks?${query}`)).map(({ task_id }) => task_id);
  expect(await ids('')).toEqual([other, stop, ended]);
  expect(await ids(`instance_id=${first.id}`)).toEqual([stop, ended]);
  expect(await ids('status=queued')).toEqual([other]);
  expect(await ids(`instance_id=${randomUUID()}`)).toEqual([]);
  const [task] = await list<Task>('/v1/tasks?status=running');
  expect(task).toEqual((await tenant.api.get(`/v1/tasks/${stop}`)).body);
  expect(task).toMatchObject({ instance_id: first.id, hostname: 'agent' });
});

it('lists deployments with the names of customers and recipes', async () => {
  await addTenant();
  const { id } = await add({ hosting_mode: 'shared' });
  const customer_id = await placeCustomer(service, id);
  await nameCustomer(customer_id, { email: 'crew@example.com' });
  expect(await list(`/v1/instances/${id}/deployments`)).toContainEqual(
    expect.objectContaining({
      customer_id,
      customer_name: 'crew@example.com',
      recipe_name: 'Recipe',
    }),
  );
});
