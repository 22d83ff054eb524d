import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';
import { Crew, type Staff } from '../support/staff.ts';

let service: TestService;
let tenant: TestTenant;
let admin: Client;
let crew: Crew;
let other: Crew;
let ada: Staff;

beforeAll(async () => {
  service = await startTestService();
  tenant = await service.createTenant();
  admin = await service.login(tenant.admin_email);
  crew = await Crew.gather(service, tenant);
  other = await Crew.gather(service, tenant);
  ada = await crew.add({ name: 'Ada' });
});
afterAll(() => service.stop());

const TABLES = ['staff', 'staff_terms', 'staff_bindings', 'shifts', 'assignments', 'timesheets'];
const rows = async () =>
  Promise.all(TABLES.map((table) => service.database.query(`select t::text from ${table} t order by 1`)));

const period = { starts_at: '2026-01-31T08:00:00Z', ends_at: '2026-01-31T16:00:00Z' };
const binding = { channel_type: 'chatapp', channel_address: '4915112345678' };

const nowhere = `/v1/customers/${randomUUID()}`;

/** Unknown ids, and ids of another customer, instance or tenant. */
const requests = (timesheet_id: string) =>
  [
    ...[randomUUID(), other.instance.customer_id].flatMap((customer_id) => [
      ['Customer', service.operations, 'GET', crew.staffPath('', customer_id)],
      ['Customer', service.operations, 'GET', crew.staffPath('/expiring-certs', customer_id)],
      ['Customer', service.operations, 'POST', crew.staffPath('', customer_id), { name: 'Eve' }],
      [
        'Customer',
        service.operations,
        'POST',
        crew.staffPath('/import', customer_id),
        { staff: [{ name: 'Eve' }] },
      ],
    ]),
    ['Customer', admin, 'GET', `${nowhere}/staff`],
    ['Customer', admin, 'POST', `${nowhere}/staff/import`, { staff: [{ name: 'Eve' }] }],
    ...['shifts', 'assignments', 'timesheets', `staff/${ada.id}/bindings`].map((list) => [
      'Customer',
      tenant.api,
      'GET',
      `${nowhere}/${list}`,
    ]),
    ['Customer', tenant.api, 'POST', `${nowhere}/shifts`, { person_id: ada.id, ...period }],
    ['Customer', tenant.api, 'POST', `${nowhere}/assignments`, { person_id: ada.id }],
    ['Customer', tenant.api, 'POST', `${nowhere}/staff/${ada.id}/bindings`, binding],
    ['Customer', tenant.api, 'PATCH', `${nowhere}/timesheets/${timesheet_id}`, { status: 'approved' }],
    ...[`${other.customer_path}/staff/${ada.id}`, `${crew.customer_path}/staff/${randomUUID()}`].flatMap(
      (person) => [
        ['Staff member', tenant.api, 'GET', `${person}/bindings`],
        ['Staff member', tenant.api, 'POST', `${person}/bindings`, binding],
      ],
    ),
    ['Staff member', tenant.api, 'POST', `${other.customer_path}/shifts`, { person_id: ada.id, ...period }],
    ['Staff member', tenant.api, 'POST', `${other.customer_path}/assignments`, { person_id: ada.id }],
    ['Staff member', service.operations, 'PATCH', `${other.path}/staff/${ada.id}`, { name: 'Eve' }],
    ...[
      `${other.customer_path}/timesheets/${timesheet_id}`,
      `${crew.customer_path}/timesheets/${randomUUID()}`,
    ].map((path) => ['Timesheet', tenant.api, 'PATCH', path, { status: 'approved' }]),
  ] as [string, Client, 'GET' | 'POST' | 'PATCH', string, object?][];

it('answers 404 for an unknown customer or person', async () => {
  const sheets = await service.database.query<{ id: string }>(
    `insert into timesheets (tenant_id, customer_id, person_id, date, hours)
     select tenant_id, customer_id, id, '2026-01-30', 8 from staff where id = $1 returning id`,
    [ada.id],
  );
  const before = await rows();
  expect(before.map((table) => table.length)).toEqual([1, 3, 0, 0, 0, 1]);
  for (const [what, client, method, path, json] of requests(sheets[0]?.id ?? '')) {
    const { status, text } = await client.request(method, path, json ? { json } : {});
    expect({ status, text }, `${method} ${path}`).toEqual({
      status: 404,
      text: `{"detail":"${what} not found"}`,
    });
  }
  expect(await rows()).toEqual(before);
});
