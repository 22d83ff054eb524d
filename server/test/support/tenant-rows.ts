import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { insertInstance, placeCustomer } from './instances.ts';
import { PROVIDER } from './operations.ts';
import { PASSWORD, type TestService, type TestTenant } from './service.ts';
import { createEndpoint } from './webhook.ts';

/** For each parameter with an id, one of the tenant's rows. */
export type TenantRows = Record<string, string>;

type Made = { id: string };

export const IDENTITY = { channel: 'chatapp', external_id: '4915100000000' };

export const EVENTS = { url: 'https://example.com/events', events: ['*'] };

export const WORKER = { channel_type: 'chatapp', channel_address: '4915100000001' };

/** Creates a row by a path. @returns its id */
type Make = (path: string, json: object) => Promise<string>;

/** Makes a row of every resource that has ids, through the API where there is a way. */
export async function createTenantRows(service: TestService, tenant: TestTenant): Promise<TenantRows> {
  const make: Make = async (path, json) => {
    const { status, body, text } = await tenant.api.post<Made>(path, json);
    expect(status, `POST ${path}: ${text}`).toBe(201);
    return body.id;
  };
  const event_endpoint_id = await make('/v1/event-endpoints', EVENTS);
  const provider = await tenant.api.put('/v1/llm-providers/mine', PROVIDER);
  expect(provider.status, provider.text).toBe(200);
  const customer_id = await make('/v1/customers', { email: `${randomUUID()}@example.com` });
  const own = await createTenantsOwn(make);
  return {
    customer_id,
    rollout_id: await insertRollout(service, own.template_id, 'stopped'),
    invitation_id: await insertInvitation(service, tenant),
    source_customer_id: customer_id,
    event_endpoint_id,
    delivery_id: await insertPing(tenant, event_endpoint_id),
    tenant_id: tenant.tenant_id,
    // A model provider of its own.
    slug: 'mine',
    session_id: await insertSession(service, tenant),
    // Filters of the record of changes.
    actor_id: tenant.admin_user_id,
    resource_id: customer_id,
    ...own,
    ...(await createCustomersOwn(make, `/v1/customers/${customer_id}`)),
    ...(await createWork(service, tenant, customer_id, make)),
    ...(await createAgent(service, tenant, make, customer_id)),
  };
}

const createTenantsOwn = async (make: Make) => ({
  template_id: await make('/v1/recipes', { name: 'Recipe' }),
  recipe_id: await make('/v1/recipes', { name: 'Recipe' }),
  user_id: await make('/v1/users', {
    email: `${randomUUID()}@example.com`,
    password: randomUUID(),
    role: 'member',
  }),
  api_key_id: await make('/v1/api-keys', { name: 'Key', scopes: [] }),
  key_id: await make('/v1/api-keys', { name: 'Key', scopes: [] }),
  primitive_id: await make('/v1/primitives', { kind: 'skill', slug: randomUUID() }),
  rules_template_id: await make('/v1/rules-templates', { name: 'Rules', rules: {} }),
  onboarding_flow_id: await make('/v1/onboarding-flows', { name: 'Flow', steps: [] }),
});

/** @param of the path of the customer */
const createCustomersOwn = async (make: Make, of: string) => ({
  connection_id: await make(`${of}/connections`, { provider: 'crm', credentials: {} }),
  identity_id: await make(`${of}/identities`, IDENTITY),
  subscription_id: await make(`${of}/subscriptions`, { status: 'active' }),
  website_id: await make(`${of}/websites`, { hostname: `${randomUUID()}.example.com` }),
});

/** A person of the staff, with work. */
async function createWork(service: TestService, tenant: TestTenant, customer_id: string, make: Make) {
  const of = `/v1/customers/${customer_id}`;
  const person_id = await insertPerson(service, customer_id);
  const requirement = await tenant.api.put(`${of}/requirements/mine`, { demands: [] });
  expect(requirement.status, requirement.text).toBe(200);
  return {
    person_id,
    // A requirement.
    key: 'mine',
    binding_id: await insertBinding(service, person_id),
    assignment_id: await make(`${of}/assignments`, { person_id }),
    shift_id: await make(`${of}/shifts`, {
      person_id,
      starts_at: '2026-01-31T08:00:00Z',
      ends_at: '2026-01-31T16:00:00Z',
    }),
    timesheet_id: await insertTimesheet(service, person_id),
  };
}

/** An instance that serves the customer and may use a drive, with a conversation. */
async function createAgent(service: TestService, tenant: TestTenant, make: Make, customer_id: string) {
  const instance = await insertInstance(service, tenant.tenant_id);
  await placeCustomer(service, instance.id, customer_id);
  const endpoint = await createEndpoint(service, tenant, instance);
  const drive_id = await make(`/v1/customers/${customer_id}/connections`, {
    provider: 'filesystem',
    credentials: { root: 'files' },
  });
  await service.database.query(
    `insert into instance_grants (tenant_id, instance_id, connection_id) select tenant_id, $2, id from connections where id = $1`,
    [drive_id, instance.id],
  );
  const conversation_id = await insertConversation(service, instance.id, customer_id);
  return {
    instance_id: instance.id,
    endpoint_id: endpoint.id,
    channel_message_id: await insertMessage(service, endpoint.id),
    task_id: await insertTask(service, instance.id),
    deployment_id: await one(
      service.database.query<Made>('select id from deployments where instance_id = $1 and customer_id = $2', [
        instance.id,
        customer_id,
      ]),
    ),
    conversation_id,
    approval_id: await insertApproval(service, conversation_id),
    // Pages end before this message.
    before: await insertMessageOf(service, conversation_id),
  };
}

/** The admin's other sessions go on without it. */
async function insertSession({ anonymous, database }: TestService, tenant: TestTenant): Promise<string> {
  const login = { email: tenant.admin_email, password: PASSWORD };
  expect((await anonymous.post('/auth/login', login)).status).toBe(200);
  return one(
    database.query<Made>('select id from sessions where user_id = $1 order by created_at desc limit 1', [
      tenant.admin_user_id,
    ]),
  );
}

async function insertPing({ api }: TestTenant, event_endpoint_id: string): Promise<string> {
  const { status, body } = await api.post<Made>(`/v1/event-endpoints/${event_endpoint_id}/test`);
  expect(status).toBe(202);
  return body.id;
}

async function insertInvitation({ database }: TestService, tenant: TestTenant): Promise<string> {
  const email = `${randomUUID()}@example.com`;
  expect((await tenant.api.post('/v1/users/invitations', { email, role: 'member' })).status).toBe(201);
  return one(database.query<Made>('select id from invitations where email = $1', [email]));
}

async function insertPerson({ database }: TestService, customer_id: string): Promise<string> {
  return one(
    database.query<Made>(
      `insert into staff (tenant_id, customer_id, name, role, tier)
       select tenant_id, id, 'Ada', 'employee', 1 from customers where id = $1 returning id`,
      [customer_id],
    ),
  );
}

async function insertBinding({ database }: TestService, person_id: string): Promise<string> {
  return one(
    database.query<Made>(
      `insert into staff_bindings (tenant_id, customer_id, person_id, channel_type, channel_address, state)
       select tenant_id, customer_id, id, $2, $3, 'verified' from staff where id = $1 returning id`,
      [person_id, WORKER.channel_type, WORKER.channel_address],
    ),
  );
}

async function insertTimesheet({ database }: TestService, person_id: string): Promise<string> {
  return one(
    database.query<Made>(
      `insert into timesheets (tenant_id, customer_id, person_id, date, hours)
       select tenant_id, customer_id, id, '2026-01-30', 8 from staff where id = $1 returning id`,
      [person_id],
    ),
  );
}

async function insertTask({ database }: TestService, instance_id: string): Promise<string> {
  return one(
    database.query<Made>(
      `insert into tasks (tenant_id, instance_id, kind, status)
       select tenant_id, id, 'provision', 'queued' from instances where id = $1 returning id`,
      [instance_id],
    ),
  );
}

/** Without instances. */
export async function insertRollout(
  { database }: Pick<TestService, 'database'>,
  recipe_id: string,
  status: string,
): Promise<string> {
  return one(
    database.query<Made>(
      `insert into rollouts (id, tenant_id, recipe_id, revision, status, batches, pause_seconds, failed_upgrades, created_at,
         ended_at)
       select gen_random_uuid(), tenant_id, id, 1, $2, '[100]', 0, 1, now(), case when $2 = 'stopped' then now() end
       from recipes where id = $1 returning id`,
      [recipe_id, status],
    ),
  );
}

/** Given up, so that it can be retried. */
async function insertMessage({ database }: TestService, endpoint_id: string): Promise<string> {
  return one(
    database.query<Made>(
      `insert into channel_messages (tenant_id, endpoint_id, instance_id, channel, message_id, external_id, sealed_content, status, give_up_at)
       select tenant_id, id, instance_id, channel, $2, '4915112345678', 'content', 'dead', now()
       from channel_endpoints where id = $1 returning id`,
      [endpoint_id, randomUUID()],
    ),
  );
}

async function insertConversation({ database }: TestService, instance_id: string, customer_id: string) {
  return one(
    database.query<Made>(
      `insert into conversations (tenant_id, instance_id, customer_id, channel, external_id, last_message_at)
       select tenant_id, id, $2, 'playground', gen_random_uuid(), now() from instances where id = $1 returning id`,
      [instance_id, customer_id],
    ),
  );
}

async function insertMessageOf({ database }: TestService, conversation_id: string) {
  return one(
    database.query<Made>(
      `insert into channel_messages (tenant_id, conversation_id, instance_id, channel, message_id, external_id, status, give_up_at)
       select tenant_id, id, instance_id, channel, gen_random_uuid(), external_id, 'handled', now()
       from conversations where id = $1 returning id`,
      [conversation_id],
    ),
  );
}

async function insertApproval({ database }: TestService, conversation_id: string) {
  return one(
    database.query<Made>(
      `insert into approvals (id, tenant_id, instance_id, customer_id, conversation_id, tool, call_hash, requested_at, expires_at)
       select gen_random_uuid(), tenant_id, instance_id, customer_id, id, 'crm__book', gen_random_uuid(), now(), now() + interval '1 day'
       from conversations where id = $1 returning id`,
      [conversation_id],
    ),
  );
}

const one = async (rows: Promise<Made[]>) => (await rows)[0]?.id ?? expect.unreachable();
