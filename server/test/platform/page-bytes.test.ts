import { beforeAll, expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import { insertInstance, placeCustomer, type TestInstance } from '../support/instances.ts';
import { sharedService, type TestService, type TestTenant } from '../support/service.ts';

let service: TestService;
let tenant: TestTenant;
let instance: TestInstance;
let admin: Client;

/** 20 rows of each list, of 250 kB each. */
beforeAll(async () => {
  service = await sharedService('working');
  tenant = await service.createTenant();
  admin = await service.login(tenant.admin_email);
  instance = await insertInstance(service, tenant.tenant_id, { hosting_mode: 'shared' });
  for (let count = 1; count < 20; count++) await placeCustomer(service, instance.id);
  const large = `jsonb_build_object('type', 'forklift', 'issuer', repeat('x', 250000), 'expires_at', (current_date + 5)::text)`;
  const rows = 'generate_series(1, 20) n';
  const { tenant_id } = tenant;
  for (const statement of [
    `insert into rules_templates (tenant_id, name, rules) select '${tenant_id}', n::text, ${large} from ${rows}`,
    `insert into onboarding_flows (tenant_id, name, steps) select '${tenant_id}', n::text, (select jsonb_agg(jsonb_build_object('text', repeat('x', 4096), 'save_as', null)) from generate_series(1, 60)) from ${rows}`,
    `insert into staff (tenant_id, customer_id, name, role, tier, certifications)
     select '${tenant_id}', '${instance.customer_id}', n::text, 'employee', 1, jsonb_build_array(${large}) from ${rows}`,
    `update deployments set instance_overrides = ${large} where instance_id = '${instance.id}'`,
  ])
    await service.database.query(statement);
});

const ofInstance = () => `/internal/v1/instances/${instance.id}`;
const ofCustomer = () => `/v1/customers/${instance.customer_id}`;

it.each([
  ['rules templates', () => '/v1/rules-templates?'],
  ['onboarding flows', () => '/v1/onboarding-flows?'],
  ['deployments', () => `/v1/instances/${instance.id}/deployments?`],
  ['staff', () => `${ofCustomer()}/staff?`],
  ['staff that is searched', () => `${ofCustomer()}/staff?sort_by=tier&`],
  ['staff for a runtime', () => `${ofInstance()}/staff?customer_id=${instance.customer_id}&`],
  ['certifications', () => `${ofCustomer()}/staff/expiring-certs?`],
  ['certifications of a tenant', () => '/v1/staff/expiring-certs?'],
  [
    'certifications for a runtime',
    () => `${ofInstance()}/staff/expiring-certs?customer_id=${instance.customer_id}&`,
  ],
])('a page of %s has 4 MiB, and a larger one is refused before it is read', async (_name, path) => {
  const client = path().startsWith('/internal') ? service.operations : admin;
  const refused = await client.get<{ detail: object[] }>(`${path()}per_page=20`);
  expect([refused.status, refused.body.detail]).toMatchObject([
    422,
    [
      {
        loc: ['query', 'per_page'],
        type: 'too_long',
        msg: 'The page would be larger than 4 MiB: ask for fewer',
      },
    ],
  ]);
  interface Page {
    items?: object[];
    staff?: object[];
    total?: number;
  }
  const { status, body } = await client.get<Page | object[]>(`${path()}per_page=15&page=2`);
  expect(status).toBe(200);
  const rows = Array.isArray(body) ? body : (body.items ?? body.staff ?? []);
  expect(rows).toHaveLength(5);
  if (!Array.isArray(body)) expect(body.total).toBe(20);
});
