import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../src/areas.ts';
import type { Client } from '../support/client.ts';
import { pathOf } from '../support/operations.ts';
import { sharedService, type TestService, type TestTenant } from '../support/service.ts';
import { createTenantRows, IDENTITY, type TenantRows, WORKER } from '../support/tenant-rows.ts';

const PERIOD = { starts_at: '2026-02-01T08:00:00Z', ends_at: '2026-02-01T16:00:00Z' };

/** Valid, so a request gets as far as its customer. */
const bodies: Record<string, object> = {
  update_customer: { company_name: 'Renamed' },
  clone_customer: { company_name: 'Clone', source_customer_id: '{customer_id}' },
  replace_customer_rules: { tone: 'warm' },
  replace_customer_config: { greeting: 'Hi' },
  create_subscription: { status: 'active' },
  update_subscription: { status: 'paused' },
  create_website: { hostname: 'new.example.com' },
  create_identity: { ...IDENTITY, external_id: '4915100000009' },
  update_identity: { display_name: 'Grace' },
  create_connection: { provider: 'crm', credentials: {} },
  update_connection: { name: 'other' },
  set_customer_pin: { pin: '2468' },
  create_customer_staff: { name: 'Grace' },
  update_customer_staff: { tier: 2 },
  import_customer_staff: { staff: [{ name: 'Grace' }] },
  create_binding: { ...WORKER, channel_address: '4915100000009' },
  create_shift: { person_id: '{person_id}', ...PERIOD },
  update_shift: { site: 'Pier' },
  update_assignment: { site: 'Pier' },
  create_assignment: { person_id: '{person_id}', title: 'Clean', ...PERIOD },
  put_requirement: { demands: [] },
  explain_eligibility: {},
  update_timesheet: { status: 'approved' },
};

const below = operations
  .filter(({ path }) => path.startsWith('/v1/customers/{customer_id}'))
  .map((operation) => [operation.id, operation] as const);

let service: TestService;
let tenant: TestTenant;
let user: Client;
let rows: TenantRows;
let latest: unknown;

beforeAll(async () => {
  service = await sharedService('idle');
  tenant = await service.createTenant();
  rows = await createTenantRows(service, tenant);
  user = await service.login(tenant.admin_email);
  latest = await allRows();
});

/** Except API keys, whose uses are recorded at any time. */
async function allRows(): Promise<unknown> {
  const tables = await service.database.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
     where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and c.relname <> 'api_keys'`,
  );
  const selects = tables.map(({ name }) => `select '${name} ' || t::text as row from ${name} t`);
  return service.database.query(`${selects.join(' union all ')} order by row`);
}

const filled = (body: object) =>
  JSON.parse(JSON.stringify(body).replaceAll(/\{(\w+)\}/g, (_, name: string) => rows[name] ?? '')) as object;

describe.each(below)('%s', (id, operation) => {
  it('answers 404 for an unknown customer and changes no row', async () => {
    const before = latest;
    const client = operation.credential === 'admin_user' ? user : tenant.api;
    const path = pathOf(operation, { ...rows, customer_id: randomUUID() });
    const json = bodies[id];
    const answer = await client.request(operation.method, path, json ? { json: filled(json) } : {});
    expect(answer, 'Add a valid body to `bodies` above').toMatchObject({
      status: 404,
      text: '{"detail":"Customer not found"}',
    });
    latest = await allRows();
    expect(latest).toEqual(before);
  });
});

it('has bodies for exactly these operations', () => {
  expect(Object.keys(bodies).filter((id) => !below.some(([known]) => known === id))).toEqual([]);
});

it('accepts a customer’s id in either case', async () => {
  const path = `/v1/customers/${(rows.customer_id ?? '').toUpperCase()}`;
  for (const list of ['', '/rules', '/subscriptions', '/websites', '/identities', '/connections']) {
    expect((await tenant.api.get(path + list)).status).toBe(200);
  }
});
