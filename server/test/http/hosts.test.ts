import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createCustomer } from '../support/customers.ts';
import { startTestService, type TestService } from '../support/service.ts';

const PATIENT = { timeout: 20_000, interval: 50 };
const TIER = randomUUID();

let first: TestService;
let second: TestService;

beforeAll(async () => {
  const master_key = randomBytes(32);
  first = await startTestService({ master_key });
  second = await startTestService({ master_key, database: first.database });
  await first.operations.put(`/internal/v1/tiers/${TIER}`, { name: 'Small' });
  await first.operations.put('/internal/v1/regions/eu-1', { name: 'Europe' });
});
afterAll(() => first.stop());

it('two copies on one database run each instance once, end it from either, and follow one that stops', async () => {
  const { api } = await first.createTenant();
  const customer_id = await createCustomer({ api });
  const recipe = await api.post<{ id: string }>('/v1/recipes', { name: 'R' });
  const place = { tier_id: TIER, region_id: 'eu-1', hostname: 'h' };
  const deploys = await Promise.all(
    Array.from({ length: 8 }, () =>
      api.post<{ instance_id: string }>('/v1/recipes/deploy', {
        recipe_id: recipe.body.id,
        customer_id,
        ...place,
      }),
    ),
  );
  const ids = deploys.map(({ body }) => body.instance_id);
  const all = async (status: string) => {
    const { body } = await api.get<{ total: number }>(`/v1/instances?status=${status}`);
    expect(body.total).toBe(ids.length);
  };
  await vi.waitFor(() => all('running'), PATIENT);
  const hosts = [first, second];
  for (const id of ids) expect(hosts.filter(({ engine }) => engine.running.has(id))).toHaveLength(1);

  // Whichever copy takes the job, the one that runs the instance ends it.
  for (const id of ids) expect((await api.post(`/v1/instances/${id}/stop`)).status).toBe(202);
  await vi.waitFor(() => all('stopped'), PATIENT);
  expect(hosts.map(({ engine }) => engine.running.size)).toEqual([0, 0]);

  for (const id of ids) expect((await api.post(`/v1/instances/${id}/start`)).status).toBe(202);
  await vi.waitFor(() => all('running'), PATIENT);
  await second.service.stop();
  await vi.waitFor(
    () => expect([...first.engine.running.keys()].toSorted()).toEqual(ids.toSorted()),
    PATIENT,
  );
}, 90_000);
