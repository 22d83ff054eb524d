import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { createCustomer } from '../support/customers.ts';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';

// The limit applies to a tenant's tasks on all copies of the service together.

const PATIENT = { timeout: 60_000, interval: 50 };
const TIER = randomUUID();

let first: TestService;
let second: TestService;
let tenant: TestTenant;

beforeAll(async () => {
  const master_key = randomBytes(32);
  first = await startTestService({ master_key });
  second = await startTestService({ master_key, database: first.database });
  await first.operations.put(`/internal/v1/tiers/${TIER}`, { name: 'Small' });
  await first.operations.put('/internal/v1/regions/eu-1', { name: 'Europe' });
});
beforeEach(async () => {
  tenant = await first.createTenant();
  setHealth(false);
});
afterEach(() => setHealth(true));
afterAll(async () => {
  await second.service.stop();
  await first.stop();
});

/** false: provisioning waits for the runtimes' health. */
function setHealth(healthy: boolean): void {
  for (const { runtimes } of [first, second]) runtimes.healthy = healthy;
}

const limitStarting = (starting: number | null) =>
  first.operations.patch(`/internal/v1/tenants/${tenant.tenant_id}`, { limits: { starting } });

async function deploy(count: number): Promise<void> {
  const customer_id = await createCustomer(tenant);
  const recipe = await tenant.api.post<{ id: string }>('/v1/recipes', { name: 'R' });
  const place = { tier_id: TIER, region_id: 'eu-1', hostname: 'h', recipe_id: recipe.body.id, customer_id };
  const deploys = Array.from({ length: count }, () => tenant.api.post('/v1/recipes/deploy', place));
  for (const { status } of await Promise.all(deploys)) expect(status).toBe(202);
}

async function statuses(): Promise<Record<string, number>> {
  const { body } = await tenant.api.get<{ items: { status: string }[] }>('/v1/instances?per_page=100');
  const counts: Record<string, number> = {};
  for (const { status } of body.items) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

const until = (wanted: Record<string, number>) =>
  vi.waitFor(async () => expect(await statuses()).toEqual(wanted), PATIENT);

/** Waits until each waiting task was tried and put back, so that none is about to begin. */
const untilWaiting = (count: number) =>
  vi.waitFor(async () => {
    const waiting = await first.database.query(
      `select from jobs join tasks on tasks.id::text = key
       where jobs.tenant_id = $1 and status = 'queued' and runner_id is not null and claim is null and attempts = 0`,
      [tenant.tenant_id],
    );
    expect(waiting).toHaveLength(count);
  }, PATIENT);

it('are five; others stay pending without an attempt, and begin when one ends', async () => {
  await deploy(8);
  await until({ provisioning: 5, pending: 3 });
  await untilWaiting(3);
  expect(await statuses()).toEqual({ provisioning: 5, pending: 3 });
  setHealth(true);
  await until({ running: 8 });
});

it('are limited by the operator, per tenant', async () => {
  await limitStarting(1);
  await deploy(2);
  await until({ provisioning: 1, pending: 1 });
  await untilWaiting(1);
  tenant = await first.createTenant();
  await deploy(2);
  await until({ provisioning: 2 });
});

it('begin with the oldest that waits when another deploy is canceled', async () => {
  await limitStarting(1);
  await deploy(2);
  await until({ provisioning: 1, pending: 1 });
  await untilWaiting(1);
  const [task] = await first.database.query<{ id: string }>(
    `select id from tasks where tenant_id = $1 and status = 'running'`,
    [tenant.tenant_id],
  );
  expect((await tenant.api.post(`/v1/tasks/${task?.id}/cancel`)).status).toBe(202);
  await until({ terminated: 1, provisioning: 1 });
});
