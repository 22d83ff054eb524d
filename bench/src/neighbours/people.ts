import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { type Call, sendExpecting } from '../call.ts';
import { NO_LIMITS, RECIPE } from '../data.ts';
import {
  createCustomer,
  createPlace,
  createTenant,
  type FullTenant,
  type Place,
  tenantCall,
} from '../fixtures.ts';
import { sendAll } from '../load/fetch.ts';

/** The service's default: without it, a tenant could take all places for starts. */
const LIMITS = { ...NO_LIMITS, starting: 5 };
const RECIPES = 50;
const DEPLOYED = {
  name: 'Deployed',
  system_prompt: 'Be brief.',
  connection_requirements: [{ provider: 'chatapp' }],
};
const LOOK_EVERY_MS = 50;
const WITHIN_MS = 120_000;

export interface Person {
  tenant: FullTenant;
  customer_id: string;
  deploy: () => Call;
}

export async function createPerson(place: Place): Promise<Person> {
  const tenant = await createTenant(place, LIMITS);
  const customer_id = await createCustomer(place, tenant);
  const where = await createPlace(place);
  const connection = { provider: 'chatapp', credentials: { access_token: randomUUID() } };
  await sendExpecting(
    place.base_url,
    tenantCall(tenant, 'POST', `/v1/customers/${customer_id}/connections`, connection),
    201,
  );
  const { id: recipe_id } = await sendExpecting<{ id: string }>(
    place.base_url,
    tenantCall(tenant, 'POST', '/v1/recipes', DEPLOYED),
    201,
  );
  const deploy = () =>
    tenantCall(tenant, 'POST', '/v1/recipes/deploy', {
      ...where,
      customer_id,
      recipe_id,
      hostname: `agent-${randomUUID()}`,
    });
  return { tenant, customer_id, deploy };
}

export async function createRecipes(
  { base_url }: Place,
  { tenant }: Pick<Person, 'tenant'>,
): Promise<Call[]> {
  const calls: Call[] = [];
  while (calls.length < RECIPES) {
    const create = tenantCall(tenant, 'POST', '/v1/recipes', RECIPE);
    const { id } = await sendExpecting<{ id: string }>(base_url, create, 201);
    calls.push({ method: 'GET', path: `/v1/recipes/${id}`, headers: tenant.headers });
  }
  return calls;
}

export async function deployOne(
  { base_url }: Place,
  { tenant, deploy }: Person,
): Promise<{ instance_id: string; seconds: number }> {
  const began = performance.now();
  const made = await sendExpecting<{ instance_id: string; task_id: string }>(base_url, deploy(), 202);
  const look: Call = { method: 'GET', path: `/v1/tasks/${made.task_id}`, headers: tenant.headers };
  for (;;) {
    const { status, error } = await sendExpecting<{ status: string; error: string | null }>(
      base_url,
      look,
      200,
    );
    const seconds = (performance.now() - began) / 1000;
    if (status === 'succeeded') return { instance_id: made.instance_id, seconds };
    if (status !== 'queued' && status !== 'running') throw new Error(`A deploy ${status}: ${error}`);
    if (seconds * 1000 > WITHIN_MS) throw new Error(`A deploy is still ${status} after ${seconds} s`);
    await sleep(LOOK_EVERY_MS);
  }
}

export async function terminateAll(
  { admin, base_url }: Place,
  { tenant }: Person,
  keep: readonly string[] = [],
): Promise<Record<string, number>> {
  const living = () => livingInstances(admin, tenant.id, keep);
  const found = await living();
  const counts: Record<string, number> = {};
  for (const { status } of found) counts[status] = (counts[status] ?? 0) + 1;
  const calls = found.map(
    ({ id }): Call => ({ method: 'DELETE', path: `/v1/instances/${id}`, headers: tenant.headers }),
  );
  await sendAll(base_url, calls, 5);
  for (const deadline = Date.now() + WITHIN_MS; (await living()).length > 0; await sleep(LOOK_EVERY_MS)) {
    if (Date.now() > deadline) throw new Error('Instances do not terminate');
  }
  return counts;
}

async function livingInstances(admin: pg.Client, tenant_id: string, keep: readonly string[]) {
  const { rows } = await admin.query<{ id: string; status: string }>(
    `select id, status from instances where tenant_id = $1 and status <> 'terminated' and id <> all($2)`,
    [tenant_id, keep],
  );
  return rows;
}
