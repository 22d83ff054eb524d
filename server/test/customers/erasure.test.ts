import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { openTransaction } from '../support/connection.ts';
import { createCustomer } from '../support/customers.ts';
import { createEventEndpoint, emitEvents } from '../support/event-receiver.ts';
import { insertInstance, placeCustomer, setInstanceStatus, type TestInstance } from '../support/instances.ts';
import { sharedService, type TestService, type TestTenant } from '../support/service.ts';
import { createEndpoint } from '../support/webhook.ts';

/** A customer with a row in every table. */
interface Planted {
  customer_id: string;
  person_id: string;
  shift_id: string;
  timesheet_id: string;
  connection_id: string;
  path: string;
  /** Occur only in its rows. */
  words: string[];
}

let service: TestService;
let tenant: TestTenant;
let shared: TestInstance;
let endpoint_id: string;

beforeAll(async () => {
  service = await sharedService('idle');
});
beforeEach(async () => {
  tenant = await service.createTenant();
  await createEventEndpoint(tenant, 'https://example.com/');
  shared = await insertInstance(service, tenant.tenant_id, { hosting_mode: 'shared' });
  endpoint_id = (await createEndpoint(service, tenant, shared)).id;
});

async function make(path: string, body: object): Promise<string> {
  const answer = await tenant.api.post<{ id: string }>(path, body);
  expect(answer.status, `${path} ${answer.text}`).toBe(201);
  return answer.body.id;
}

async function one(text: string, values: unknown[]): Promise<string> {
  const [row] = await service.database.query<{ id: string }>(text, values);
  return row?.id ?? expect.unreachable();
}

const insertMessage = (endpoint: string, external_id: string) =>
  one(
    `insert into channel_messages (tenant_id, endpoint_id, instance_id, channel, message_id, external_id, status, give_up_at)
     select tenant_id, id, instance_id, channel, $2, $3, 'dead', now() from channel_endpoints where id = $1 returning id`,
    [endpoint, randomUUID(), external_id],
  );

/** A call today, and the sum of an earlier day. */
async function useModel({ id, customer_id }: TestInstance): Promise<void> {
  const of = 'select tenant_id, id, $2 from instances where id = $1';
  const call = of.replace('$2', "$2, gen_random_uuid(), now(), 'm', 'm', 'default', true");
  const sum = of.replace('$2', "$2, date '2026-01-31', 'm', 1, 1, 0, 1");
  const month = of.replace('id, $2', "$2, date '2026-01-01'");
  const inserts = [
    `insert into llm_calls (tenant_id, instance_id, customer_id, id, at, asked_model, model, provider, is_operators) ${call}`,
    `insert into llm_days (tenant_id, instance_id, customer_id, day, model, calls, input_tokens, cached_input_tokens, output_tokens) ${sum}`,
    `insert into llm_spending (tenant_id, customer_id, month) ${month}`,
  ];
  for (const insert of inserts) await service.database.query(insert, [id, customer_id]);
}

/** No value contains another, so a search finds only its own. */
let count = 0;

async function plant(): Promise<Planted> {
  const [phone, word] = [`49151${String(10_000_000 + ++count)}`, `planted${count}x`];
  const customer_id = await createCustomer(tenant, { company_name: word, email: `${word}@example.com` });
  const path = `/v1/customers/${customer_id}`;
  await tenant.api.put(`${path}/rules`, { word });
  await tenant.api.put(`${path}/config`, { word });
  await tenant.api.put(`${path}/requirements/${word}`, { demands: [{ kind: 'skill', value: word }] });
  await make(`${path}/websites`, { hostname: `${word}.example.com` });
  await make(`${path}/subscriptions`, { status: 'active', plan: word });
  const identity_id = await make(`${path}/identities`, { channel: 'chatapp', external_id: phone });
  await tenant.api.post(`${path}/pin`, { pin: '2468' });
  const person_id = await make(`${path}/staff`, { name: word, skills: [word], certifications: [word] });
  const period = { starts_at: '2026-01-31T08:00:00Z', ends_at: '2026-01-31T16:00:00Z' };
  const shift_id = await make(`${path}/shifts`, { person_id, ...period });
  await make(`${path}/assignments`, { person_id, title: word });
  const binding = { channel_type: 'chatapp', channel_address: `+${phone}`, code: '1234' };
  await make(`${path}/staff/${person_id}/bindings`, binding);
  const connection_id = await make(`${path}/connections`, { provider: 'crm', name: word, credentials: {} });
  const dedicated = await insertInstance(service, tenant.tenant_id, { customer_id });
  await placeCustomer(service, shared.id, customer_id);
  await service.database.query(
    `update instances set resolved_config = jsonb_build_object('word', $2::text) where id = $1`,
    [dedicated.id, word],
  );
  await service.database.query(
    `update deployments set instance_overrides = jsonb_build_object('word', $2::text) where customer_id = $1`,
    [customer_id, word],
  );
  await service.database.query(
    `insert into instance_grants (tenant_id, instance_id, connection_id) select tenant_id, $2, id from connections where id = $1`,
    [connection_id, shared.id],
  );
  await service.operations.post(`/internal/v1/instances/${shared.id}/identities/${identity_id}/pin`, {
    pin: '1357',
  });
  await service.operations.post(`/internal/v1/instances/${shared.id}/pin/verify`, {
    pin: '0000',
    identity_id,
  });
  const timesheet_id = await one(
    `insert into timesheets (tenant_id, customer_id, person_id, date, hours, shift_id)
     select tenant_id, customer_id, person_id, '2026-01-31', 8, id from shifts where id = $1 returning id`,
    [shift_id],
  );
  await insertMessage((await createEndpoint(service, tenant, dedicated)).id, `${phone}0`);
  await insertMessage(endpoint_id, phone);
  const conversation_id = await one(
    `insert into conversations (tenant_id, instance_id, customer_id, channel, external_id, last_message_at)
     select tenant_id, id, $2, 'chatapp', $3, now() from instances where id = $1 returning id`,
    [dedicated.id, customer_id, phone],
  );
  await service.database.query(
    `insert into conversation_addresses
       (tenant_id, customer_id, instance_id, channel, address_key, address, is_phone, conversation_id, since, told_at)
     select tenant_id, customer_id, instance_id, channel, external_id, external_id, true, id, now(), now()
     from conversations where id = $1`,
    [conversation_id],
  );
  await one(
    `insert into approvals (id, tenant_id, instance_id, customer_id, conversation_id, tool, call_hash, requested_at, expires_at)
     select gen_random_uuid(), tenant_id, instance_id, customer_id, id, $2, '', now(), now() from conversations where id = $1
     returning id`,
    [conversation_id, `crm__${word}`],
  );
  await tenant.api.put(`${path}/budget`, { monthly_tokens: 1000 });
  await useModel(dedicated);
  await service.operations.post(`/internal/v1/instances/${dedicated.id}/logs`, { lines: [`heard ${word}`] });
  await service.database.query('update channel_endpoints set customer_id = $2 where instance_id = $1', [
    dedicated.id,
    customer_id,
  ]);
  await service.database.query(
    `with run as (insert into trigger_runs (tenant_id, deployment_id, name, at)
       select tenant_id, id, $2, now() from deployments where instance_id = $1 returning tenant_id)
     insert into instance_events (tenant_id, instance_id, at, "from", "to", step, message)
     select tenant_id, $1, now(), 'running', 'running', 'trigger', $2 from run`,
    [dedicated.id, word],
  );
  await service.database.query(
    'insert into opt_outs (tenant_id, customer_id, address_hash, at) select tenant_id, id, $2, now() from customers where id = $1',
    [customer_id, Buffer.from(word)],
  );
  await emitEvents(service, tenant, 'timesheet.submitted', { customer_id, person_id });
  await service.database.query(
    `insert into told_events (tenant_id, mark, customer_id, person_id)
     select tenant_id, $2, customer_id, id from staff where id = $1`,
    [person_id, word],
  );
  const words = [customer_id, person_id, connection_id, phone, word];
  return { customer_id, person_id, shift_id, timesheet_id, connection_id, path, words };
}

async function release({ customer_id }: Pick<Planted, 'customer_id'>): Promise<void> {
  await service.database.query('update deployments set released_at = now() where customer_id = $1', [
    customer_id,
  ]);
  const rows = await service.database.query<{ id: string }>(
    `select id from instances where customer_id = $1`,
    [customer_id],
  );
  for (const { id } of rows) await setInstanceStatus(service, id, 'terminated');
}

const tablesWith = async (...columns: string[]) =>
  (
    await service.database.query<{ name: string }>(
      `select distinct c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
       where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and a.attname = any ($1) and not a.attisdropped
       order by 1`,
      [columns],
    )
  ).map(({ name }) => name);

/** The audit log keeps the ids of deleted rows. */
const tablesWithoutAudit = async () =>
  (await tablesWith('tenant_id')).filter((name) => name !== 'audit_changes');

async function tablesNaming(words: string[], tables: string[]): Promise<string[]> {
  const found: string[] = [];
  for (const table of tables) {
    const text = `select from ${table} t where exists (select from unnest($1::text[]) w where strpos(t::text, w) > 0)`;
    if ((await service.database.query(text, [words])).length > 0) found.push(table);
  }
  return found;
}

it('erases a customer from every table', async () => {
  const [erased, stays] = [await plant(), await plant()];
  const ofCustomers = await tablesWith('customer_id', 'person_id');
  expect(await tablesNaming(erased.words, ofCustomers), 'Plant a row of each table above').toEqual(
    ofCustomers,
  );
  const refused = await tenant.api.delete(erased.path);
  expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('instance serves')]);
  await release(erased);
  const everywhere = await tablesWithoutAudit();
  const before = await tablesNaming(stays.words, everywhere);
  expect((await tenant.api.delete(erased.path)).status).toBe(204);
  expect(await tablesNaming(erased.words, everywhere)).toEqual([]);
  expect(await tablesNaming(stays.words, everywhere)).toEqual(before);
  expect((await tenant.api.get(erased.path)).status).toBe(404);
  expect((await tenant.api.delete(erased.path)).text).toBe('{"detail":"Customer not found"}');
});

it('keeps messages of a contractor who also works for another customer', async () => {
  const [erased, stays] = [await plant(), await plant()];
  const address = erased.words[3] ?? '';
  await make(`${stays.path}/staff/${stays.person_id}/bindings`, {
    channel_type: 'chatapp',
    channel_address: address,
  });
  await release(erased);
  expect((await tenant.api.delete(erased.path)).status).toBe(204);
  expect(await tablesNaming([address], ['channel_messages', 'staff_bindings'])).toHaveLength(2);
});

it('keeps the terminated instances without their customer', async () => {
  const erased = await plant();
  const mine = await service.database.query<{ id: string }>(
    'select id from instances where customer_id = $1',
    [erased.customer_id],
  );
  await release(erased);
  await tenant.api.delete(erased.path);
  const instance = await tenant.api.get(`/v1/instances/${mine[0]?.id}`);
  expect(instance.body).toMatchObject({ customer_id: null, status: 'terminated', resolved_config: {} });
  const [secret] = await service.database.query('select sealed_message_secret from instances where id = $1', [
    mine[0]?.id,
  ]);
  expect(secret).toEqual({ sealed_message_secret: null });
  expect((await tenant.api.get(`/v1/instances/${shared.id}`)).body).toMatchObject({ status: 'running' });
});

it('erases a staff member but keeps the hours', async () => {
  const planted = await plant();
  const { path, person_id, timesheet_id } = planted;
  expect((await tenant.api.delete(`${path}/staff/${person_id}`)).status).toBe(204);
  expect(await tablesNaming([person_id], await tablesWithoutAudit())).toEqual([]);
  expect((await tenant.api.get(`${path}/timesheets`)).body).toMatchObject({
    items: [{ id: timesheet_id, person_id: null, shift_id: null, hours: 8 }],
    total: 1,
  });
  const approved = await tenant.api.patch(`${path}/timesheets/${timesheet_id}`, { status: 'approved' });
  expect(approved.body).toMatchObject({ person_id: null, status: 'approved', warnings: [] });
  expect((await tenant.api.delete(`${path}/staff/${person_id}`)).text).toBe(
    '{"detail":"Staff member not found"}',
  );
});

it('answers 404 for a row added during the erasure', async () => {
  const { customer_id, path } = await plant();
  await release({ customer_id });
  const erasing = await openTransaction(service.database.url, [
    'delete from customers where id = $1',
    [customer_id],
  ]);
  const adding = tenant.api.post(`${path}/websites`, { hostname: `${randomUUID()}.example.com` });
  await vi.waitFor(
    async () =>
      expect(
        await service.database.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        ),
      ).not.toEqual([]),
    { timeout: 60_000, interval: 20 },
  );
  await erasing.end('commit');
  expect((await adding).status).toBe(404);
});

it('erases a customer during changes and imports of staff', async () => {
  const erased = await plant();
  await release(erased);
  const admin = await service.login(tenant.admin_email);
  const staff = [{ name: 'Ada', external_id: 'a' }, { name: 'Bea' }];
  const answers = await Promise.all([
    ...Array.from({ length: 8 }, (_, n) =>
      tenant.api.patch(`${erased.path}/staff/${erased.person_id}`, { name: `P${n}` }),
    ),
    tenant.api.delete(erased.path),
    ...Array.from({ length: 4 }, () => admin.post(`${erased.path}/staff/import`, { staff })),
    ...Array.from({ length: 4 }, () =>
      tenant.api.post(`${erased.path}/websites`, { hostname: `${randomUUID()}.example.com` }),
    ),
  ]);
  expect(
    answers.filter(({ status }) => ![200, 201, 204, 404].includes(status)).map(({ text }) => text),
  ).toEqual([]);
  expect(answers[8]?.status).toBe(204);
  expect(await tablesNaming([erased.customer_id], await tablesWith('customer_id'))).toEqual([]);
});
