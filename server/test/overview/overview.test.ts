import { randomUUID } from 'node:crypto';
import { expect, it, onTestFinished, vi } from 'vitest';
import { conversationWith, uniqueSender, write } from '../support/conversations.ts';
import { insertInstance } from '../support/instances.ts';
import { sharedService, type TestTenant } from '../support/service.ts';
import { Crew } from '../support/staff.ts';
import { createEndpoint, type TestEndpoint } from '../support/webhook.ts';

interface Need {
  kind: string;
  count: number;
  id: string;
  [field: string]: unknown;
}
type Overview = Record<string, unknown> & { needs: Need[]; instances: Record<string, number> };

const service = await sharedService('idle');
const { database } = service;

const read = async (client: TestTenant['api']): Promise<Overview> => {
  const { status, body } = await client.get<Overview>('/v1/overview');
  expect(status).toBe(200);
  return body;
};

const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();

it('of an empty tenant has nothing to do', async () => {
  const { api } = await service.createTenant();
  expect(await read(api)).toEqual({
    instances: {
      pending: 0,
      provisioning: 0,
      running: 0,
      stopped: 0,
      failed: 0,
      terminating: 0,
      terminated: 0,
    },
    outdated_instances: 0,
    running_tasks: 0,
    dead_messages: 0,
    channel_endpoints: 0,
    failed_messages: 0,
    human_conversations: 0,
    waiting_conversations: 0,
    conversations: 0,
    submitted_timesheets: 0,
    expiring_certs: 0,
    expiring_connections: 0,
    expired_connections: 0,
    waiting_approvals: 0,
    customers: 0,
    recipes: 0,
    month: {
      from: `${new Date().toISOString().slice(0, 7)}-01`,
      cost: '0',
      limit: null,
      calls: 0,
      unpriced_calls: 0,
    },
    needs: [],
  });
});

it('counts what there is', async () => {
  const { api, tenant_id } = await service.createTenant();
  const { id } = await insertInstance(service, tenant_id);
  await insertInstance(service, tenant_id, { status: 'terminated' });
  const { customer_id } = await insertInstance(service, tenant_id, { status: 'stopped' });
  await database.query(
    'update recipes set revision = 2 where id = (select recipe_id from instances where id = $1)',
    [id],
  );
  await database.query(
    `insert into tasks (tenant_id, instance_id, kind, status) values ($1, $2, 'start', 'running'), ($1, $2, 'join', 'queued')`,
    [tenant_id, id],
  );
  await service.operations.patch(`/internal/v1/tenants/${tenant_id}`, { limits: { monthly_cost: 50 } });
  await database.query(
    `insert into llm_calls (id, tenant_id, instance_id, customer_id, at, asked_model, model, provider, is_operators, status, cost)
     select gen_random_uuid(), $1, $2, $3, now(), 'm', 'm', 'p', true, status, cost::numeric
     from (values ('ok', '0.25'), ('failed', '0.5'), ('ok', null), ('running', null)) v (status, cost)`,
    [tenant_id, id, customer_id],
  );
  expect(await read(api)).toMatchObject({
    instances: { running: 1, stopped: 1, terminated: 1, failed: 0 },
    outdated_instances: 1,
    running_tasks: 1,
    customers: 3,
    recipes: 3,
    month: { cost: '0.75', limit: 50, calls: 3, unpriced_calls: 1 },
    needs: [],
  });
});

/** Two conversations wait for a person. @returns the more urgent one, though it came later */
async function handOver(tenant: TestTenant) {
  const agent = await createEndpoint(service, tenant);
  await database.query(`update customers set company_name = 'Harbour' where id = $1`, [
    agent.instance.customer_id,
  ]);
  const senders = [uniqueSender(), uniqueSender()];
  for (const sender of senders) await write(service, agent, sender, 'Hello');
  const { id: conversation_id } = await conversationWith(tenant, agent, senders[1]);
  await database.query(
    `update conversations set mode = 'human',
       last_in_at = case when id = $2 then now() - interval '23 hours' else last_in_at end where tenant_id = $1`,
    [tenant.tenant_id, conversation_id],
  );
  return { agent, conversation_id };
}

async function endConnections({ tenant_id }: TestTenant, customer_id: string) {
  const [expired, expiring] = [randomUUID(), randomUUID()];
  await database.query(
    `insert into connections (id, tenant_id, customer_id, provider, name, expires_at, refused_at, last_error)
     values (gen_random_uuid(), $1, $2, 'crm', null, null, now(), 'Refused'),
            ($3, $1, $2, 'crm', 'Sales', now() - interval '1 day', null, null),
            (gen_random_uuid(), $1, $2, 'crm', null, now() + interval '41 days', null, null),
            ($4, $1, $2, 'crm', null, now() + interval '1 day', null, null),
            (gen_random_uuid(), $1, $2, 'crm', null, now() + interval '43 days', null, null)`,
    [tenant_id, customer_id, expired, expiring],
  );
  return { expired, expiring };
}

async function loseMessages({ tenant_id }: TestTenant, agent: TestEndpoint, conversation_id: string) {
  await database.query(
    `insert into channel_messages (tenant_id, instance_id, channel, external_id, status, give_up_at, conversation_id, direction,
       author, error, received_at)
     values ($1, $2, 'chatapp', 'x', 'failed', now(), $3, 'out', 'agent', 'Later', now()),
            ($1, $2, 'chatapp', 'x', 'failed', now(), $3, 'out', 'agent', 'Not sent', now() - interval '1 hour')`,
    [tenant_id, agent.instance.id, conversation_id],
  );
  await write(service, agent, uniqueSender(), 'Lost');
  const [dead] = await database.query<{ id: string }>(
    `update channel_messages set status = 'dead', last_error = 'Given up' where number = (
       select max(number) from channel_messages where tenant_id = $1 and direction = 'in') returning id`,
    [tenant_id],
  );
  return dead?.id;
}

async function employ(tenant: TestTenant) {
  const crew = await Crew.gather(service, tenant, 'Australia/Sydney');
  const certified = (name: string, ...days: number[]) =>
    crew.add({
      name,
      role: 'employee',
      certifications: days.map((day) => ({ type: `Forklift ${day}`, expires_at: inDays(day).slice(0, 10) })),
    });
  const person = await certified('Ana', 60, 20, -3);
  await certified('Ben', 30);
  const [timesheet] = await database.query<{ id: string }>(
    `insert into timesheets (id, tenant_id, customer_id, person_id, date, hours, status, created_at)
     values (gen_random_uuid(), $1, $2, $3, '2026-01-31', 7.50, 'submitted', now() - interval '1 day'),
            (gen_random_uuid(), $1, $2, $3, '2026-02-01', 8, 'submitted', now()),
            (gen_random_uuid(), $1, $2, $3, '2026-02-02', 8, 'approved', now()) returning id`,
    [tenant.tenant_id, crew.instance.customer_id, person.id],
  );
  return { person_id: person.id, timesheet_id: timesheet?.id };
}

async function askForApproval({ tenant_id }: TestTenant, agent: TestEndpoint, conversation_id: string) {
  const approval_id = randomUUID();
  await database.query(
    `insert into approvals (id, tenant_id, instance_id, customer_id, conversation_id, tool, call_hash, requested_at, expires_at)
     values (gen_random_uuid(), $1, $2, $3, $4, 'crm__late', 'a', now() - interval '1 hour', now() + interval '2 hours'),
            ($5, $1, $2, $3, $4, 'crm__soon', 'b', now(), now() + interval '1 hour'),
            (gen_random_uuid(), $1, $2, $3, $4, 'crm__over', 'c', now(), now() - interval '1 second')`,
    [tenant_id, agent.instance.id, agent.instance.customer_id, conversation_id, approval_id],
  );
  return approval_id;
}

async function failTwice({ tenant_id }: TestTenant) {
  await insertInstance(service, tenant_id, { status: 'failed' });
  const { id } = await insertInstance(service, tenant_id, { status: 'failed' });
  await database.query(`update instances set updated_at = now() - interval '1 day' where id = $1`, [id]);
  return id;
}

it('shows the most urgent case of each kind, in the order of the kinds', async () => {
  const tenant = await service.createTenant();
  const { agent, conversation_id } = await handOver(tenant);
  const { id: instance_id, customer_id } = agent.instance;
  const approval_id = await askForApproval(tenant, agent, conversation_id);
  const failed_id = await failTwice(tenant);
  const { expired, expiring } = await endConnections(tenant, customer_id);
  const dead_id = await loseMessages(tenant, agent, conversation_id);
  const { person_id, timesheet_id } = await employ(tenant);
  const { needs, ...counts } = await read(tenant.api);
  const place = { instance_id, hostname: 'agent', customer_id, customer_name: 'Harbour' };
  const ofCustomer = { ...place, instance_id: null, hostname: null };
  expect(needs).toMatchObject([
    {
      kind: 'waiting_conversation',
      count: 2,
      id: conversation_id,
      title: 'Ada',
      detail: 'chatapp',
      ...place,
    },
    { kind: 'waiting_approval', count: 2, id: approval_id, title: 'crm__soon', detail: 'Ada', ...place },
    { kind: 'failed_instance', count: 2, id: failed_id, title: 'agent', instance_id: failed_id, until: null },
    { kind: 'expired_connection', count: 2, id: expired, title: 'Sales', ...ofCustomer },
    { kind: 'failed_message', count: 2, id: conversation_id, title: 'Ada', detail: 'Not sent', ...place },
    { kind: 'dead_message', count: 1, id: dead_id, detail: 'Given up', ...place },
    { kind: 'submitted_timesheet', count: 2, id: timesheet_id, title: 'Ana', detail: '2026-01-31, 7.5 h' },
    { kind: 'expiring_connection', count: 2, id: expiring, title: 'crm', ...ofCustomer },
    { kind: 'expiring_cert', count: 2, id: person_id, title: 'Ana', detail: 'Forklift 20', since: null },
  ]);
  expect(counts).toMatchObject({
    human_conversations: 2,
    waiting_conversations: 2,
    conversations: 3,
    waiting_approvals: 2,
    failed_messages: 2,
    dead_messages: 1,
    submitted_timesheets: 2,
    expired_connections: 2,
    expiring_connections: 2,
    expiring_certs: 2,
    channel_endpoints: 1,
  });
});

it('leaves out what the caller may not read', async () => {
  const tenant = await service.createTenant();
  const { conversation_id } = await handOver(tenant);
  const as = async (role: 'member' | 'admin', ...scopes: string[]) =>
    service.anonymous.with({ 'x-api-key': await service.createKey(tenant.tenant_id, { role, scopes }) });
  expect(Object.keys(await read(await as('admin', 'instances:read'))).toSorted()).toEqual([
    'instances',
    'needs',
    'outdated_instances',
    'running_tasks',
  ]);
  const member = await read(await as('member', 'instances:*', 'conversations:read', 'customers:read'));
  expect(member).toMatchObject({
    waiting_conversations: 2,
    needs: [{ kind: 'waiting_conversation', id: conversation_id, customer_name: 'Harbour' }],
  });
  expect(member).not.toHaveProperty('customers');
  expect((await (await as('admin', 'recipes:read')).get('/v1/overview')).status).toBe(403);
});

it('is as new as the last change, and computed once until then', async () => {
  const { api, tenant_id } = await service.createTenant();
  for (let nth = 1; nth <= 20; nth++) {
    await api.post('/v1/customers', { company_name: `No. ${nth}`, email: `no-${nth}@example.com` });
    expect(await read(api)).toMatchObject({ customers: nth });
  }
  // No hint is sent for limits, so the stored answer stays. The clock stands still, because in 5 seconds it would be too old.
  const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
  onTestFinished(() => clock.mockRestore());
  const { needs } = await read(api);
  await database.query(`update tenants set limits = '{"monthly_cost": 1}' where id = $1`, [tenant_id]);
  expect(await read(api)).toMatchObject({ month: { limit: null }, needs });
});
