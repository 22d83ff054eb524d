import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createCustomer } from '../support/customers.ts';
import { insertInstance } from '../support/instances.ts';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';
import { Crew } from '../support/staff.ts';

const HOUR_MS = 60 * 60_000;

interface Times {
  id: string;
  created_at: string;
  updated_at: string;
}

let service: TestService;
let tenant: TestTenant;
let customer: string;
/** This copy's clock lags behind the database and other copies. */
let lagMs = HOUR_MS;

beforeAll(async () => {
  service = await startTestService({ runsJobs: false, clock: () => new Date(Date.now() - lagMs) });
  tenant = await service.createTenant();
  customer = `/v1/customers/${await createCustomer(tenant)}`;
});
afterAll(() => service.stop());

/** As by another copy. */
async function inTime<T>(make: () => Promise<T>): Promise<T> {
  lagMs = 0;
  return make().finally(() => {
    lagMs = HOUR_MS;
  });
}

/** @returns the resource after its creation and a change */
async function changed(path: string, fields: object, change: object, method = 'PATCH'): Promise<Times> {
  const { body } = await tenant.api.post<Times>(path, fields);
  return (await tenant.api.request<Times>(method, `${path}/${body.id}`, { json: change })).body;
}

/** As `changed`, for routes of the operator that create and change. */
async function put(path: string): Promise<Times> {
  await service.operations.put(path, { name: 'One' });
  return (await service.operations.put<Times>(path, { name: 'Two' })).body;
}

const password = 'correct horse battery staple';

it.each<[string, () => Promise<Times>]>([
  ['a recipe', () => changed('/v1/recipes', { name: 'R' }, { name: 'S' }, 'PUT')],
  [
    'a user',
    () => changed('/v1/users', { email: 'a@example.com', password, role: 'member' }, { role: 'admin' }),
  ],
  ['a subscription', () => changed(`${customer}/subscriptions`, { status: 'active' }, { status: 'paused' })],
  ['a tier', () => put(`/internal/v1/tiers/${randomUUID()}`)],
  ['a region', () => put('/internal/v1/regions/eu-1')],
  [
    'a channel endpoint',
    async () => {
      const { id: instance_id } = await insertInstance(service, tenant.tenant_id);
      const secrets = { verify_token: 'token', app_secret: 'secret' };
      const endpoint = { channel: 'chatapp', phone_number_id: '1', instance_id, ...secrets };
      return changed('/v1/channel-endpoints', endpoint, { phone_number_id: '2' });
    },
  ],
  ...['rules', 'config'].map((setting): [string, () => Promise<Times>] => [
    `a customer’s ${setting}`,
    async () => {
      await tenant.api.put(`${customer}/${setting}`, { changed: true });
      return (await tenant.api.get<Times>(customer)).body;
    },
  ]),
  [
    'an instance',
    async () => {
      const { id } = await insertInstance(service, tenant.tenant_id);
      await tenant.api.delete(`/v1/instances/${id}`);
      return (await tenant.api.get<Times>(`/v1/instances/${id}`)).body;
    },
  ],
  [
    'a member of staff',
    async () => {
      const crew = await Crew.gather(service, tenant);
      const person = await inTime(() => crew.add({ name: 'One' }));
      return (await crew.change(person, { name: 'Two' })) as unknown as Times;
    },
  ],
  [
    'a task',
    async () => {
      const { id } = await insertInstance(service, tenant.tenant_id, { status: 'stopped' });
      const started = await inTime(() => tenant.api.post<{ task_id: string }>(`/v1/instances/${id}/start`));
      return (await tenant.api.post<Times>(`/v1/tasks/${started.body.task_id}/cancel`)).body;
    },
  ],
])('%s has no updated_at before created_at', async (_, change) => {
  const { created_at, updated_at } = await change();
  expect(updated_at >= created_at, `${updated_at} after ${created_at}`).toBe(true);
});
