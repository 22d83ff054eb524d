import { afterAll, beforeAll, expect, it } from 'vitest';
import { emptyDrive } from '../support/operations.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { createTenantRows, IDENTITY, type TenantRows, WORKER } from '../support/tenant-rows.ts';

const HOSTNAME = 'former.example.com';
const PIN = { pin: '2468' };
const address = new URLSearchParams(WORKER).toString();

let service: TestService;
let rows: TenantRows;

beforeAll(async () => {
  service = await startTestService({ runsJobs: false, drive: emptyDrive });
  const tenant = await service.createTenant();
  rows = await createTenantRows(service, tenant);
  await tenant.api.post(`/v1/customers/${rows.customer_id}/websites`, { hostname: HOSTNAME });
});
afterAll(() => service.stop());

const setReleased = (when: 'now()' | 'null') =>
  service.database.query(`update deployments set released_at = ${when} where customer_id = $1`, [
    rows.customer_id,
  ]);

/** Replaces names in braces by ids. */
const filled = <T>(value: T) =>
  JSON.parse(JSON.stringify(value).replaceAll(/\{(\w+_id)\}/g, (_, name: string) => rows[name] ?? '')) as T;

it.each<[string, string, object?]>([
  ['GET', 'staff?customer_id={customer_id}'],
  ['POST', 'staff?customer_id={customer_id}', { name: 'Grace' }],
  ['POST', 'staff/import?customer_id={customer_id}', { staff: [{ name: 'Grace' }] }],
  ['GET', 'staff/expiring-certs?customer_id={customer_id}'],
  ['GET', 'staff/{person_id}'],
  ['PATCH', 'staff/{person_id}', { tier: 2 }],
  ['POST', 'worker/verify', { ...WORKER, response: 'yes' }],
  ['GET', `worker/me/assignments?${address}`],
  ['GET', `worker/me/certs?${address}`],
  ['GET', `worker/me/shifts?${address}`],
  ['GET', `worker/me/timesheets?${address}`],
  ['POST', `worker/me/timesheet?${address}`, { date: '2026-02-01', hours: 8 }],
  ['POST', 'identities/{identity_id}/pin', PIN],
  ['POST', 'pin/verify', { ...PIN, customer_id: '{customer_id}' }],
  ['POST', 'pin/verify', { ...PIN, identity_id: '{identity_id}' }],
  ['POST', 'pin/check-required?customer_id={customer_id}'],
  ['DELETE', 'identities/{identity_id}/pin'],
  ['GET', `lookup/identity?${new URLSearchParams(IDENTITY).toString()}`],
  ['GET', 'drive/search?customer_id={customer_id}'],
  ['GET', 'drive/read/file?customer_id={customer_id}'],
  ['GET', 'customer-config?customer_id={customer_id}'],
  ['GET', `resolve-domain?hostname=${HOSTNAME}`],
])('%s %s answers 404 once the customer has left the instance', async (method, path, json) => {
  const send = async () => {
    const at = `/internal/v1/instances/${rows.instance_id}/${filled(path)}`;
    return (await service.operations.request(method, at, json ? { json: filled(json) } : {})).status;
  };
  await setReleased('null');
  expect(await send()).toBeLessThan(300);
  await setReleased('now()');
  expect(await send()).toBe(404);
});
