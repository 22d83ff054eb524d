import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { findDeploymentByKey } from '../../src/instances/deployments.db.ts';
import { createCustomer } from '../support/customers.ts';
import { firstOf } from '../support/first-of.ts';
import { gate } from '../support/hold.ts';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';

const OF_TENANT_AT_ONCE = 2;
const MAX_WAITING = 64;
const LARGE = 65 * 1024;
const TOO_MUCH = 'The configuration has too many violations, or keys too long for so many values';

let service: TestService;
let tenant: TestTenant;
let large: string;
beforeAll(async () => {
  service = await startTestService({ runsJobs: false });
  tenant = await service.createTenant();
  large = await createRecipe({ system_prompt: 'x'.repeat(LARGE) });
});
afterEach(() => {
  vi.restoreAllMocks();
});
afterAll(() => service.stop());

async function createRecipe(fields: object, of = tenant): Promise<string> {
  const { status, body } = await of.api.post<{ id: string }>('/v1/recipes', { name: 'R', ...fields });
  expect(status).toBe(201);
  return body.id;
}

const times = <T>(count: number, make: () => T) => Array.from({ length: count }, make);
const compose = (recipe_id = large, of = tenant) => of.api.post('/v1/recipes/compose', { recipe_id });

const TIER = randomUUID();
/** @returns what deploys it, again and again with the same key */
async function deployable(recipe_id: string) {
  await service.operations.put(`/internal/v1/tiers/${TIER}`, { name: 'Small' });
  await service.operations.put('/internal/v1/regions/eu-1', { name: 'Europe' });
  const customer_id = await createCustomer(tenant);
  const target = { customer_id, tier_id: TIER, region_id: 'eu-1', hostname: 'agent.example.com' };
  const request = { recipe_id, ...target, idempotency_key: randomUUID() };
  return () =>
    tenant.api.post<{ instance_id: string; idempotency_key: string }>('/v1/recipes/deploy', request);
}

/** Takes all turns that the tenant may have. @returns how to give them back */
function takeTurns(): () => void {
  const { largeRecipes } = service.service.services;
  const q = service.service.services.db.tenant(tenant.tenant_id);
  const { pass, goOn } = gate();
  const call = { q, services: { largeRecipes }, signal: undefined };
  for (const turn of times(OF_TENANT_AT_ONCE, () => largeRecipes.run(call, pass))) void turn;
  return goOn;
}

const change = (recipe_id: string, fields: object) => tenant.api.put(`/v1/recipes/${recipe_id}`, fields);
const remove = (recipe_id: string) => tenant.api.delete(`/v1/recipes/${recipe_id}`);
const newLarge = () => createRecipe({ system_prompt: 'x'.repeat(LARGE) });

/** What is asked for is answered after `meanwhile`. */
async function waiting<T>(ask: () => Promise<T>, meanwhile: () => Promise<unknown>): Promise<T> {
  const giveBack = takeTurns();
  const turns = vi.spyOn(service.service.services.largeRecipes, 'run');
  const answer = ask();
  await vi.waitFor(() => expect(turns).toHaveBeenCalledTimes(1));
  await meanwhile();
  giveBack();
  return answer;
}

it('large recipes of a tenant wait for their turn; few do, and neither other tenants’ nor small ones', async () => {
  const other = await service.createTenant();
  const others = await createRecipe({ system_prompt: 'x'.repeat(LARGE) }, other);
  const small = await createRecipe({});
  const giveBack = takeTurns();
  const answers = times(MAX_WAITING + 2, () => compose());
  const refused = await firstOf(answers, 2);
  expect(refused.map(({ status, headers }) => [status, headers.get('retry-after')])).toEqual([
    [429, '1'],
    [429, '1'],
  ]);
  expect((await compose(others, other)).status).toBe(200);
  expect((await compose(small)).status).toBe(200);
  giveBack();
  const composed = (await Promise.all(answers)).filter(({ status }) => status === 200);
  expect(composed).toHaveLength(MAX_WAITING);
});

it('a client that goes away while it waits frees its place', async () => {
  const giveBack = takeTurns();
  const turns = vi.spyOn(service.service.services.largeRecipes, 'run');
  const refused = () => turns.mock.settledResults.filter(({ type }) => type === 'rejected').length;
  const wish = new AbortController();
  const left = times(MAX_WAITING, () =>
    fetch(`${service.base_url}/v1/recipes/compose`, {
      method: 'POST',
      body: JSON.stringify({ recipe_id: large }),
      headers: { 'content-type': 'application/json', ...tenant.api.headers },
      signal: wish.signal,
    }),
  );
  await vi.waitFor(() => expect(turns).toHaveBeenCalledTimes(MAX_WAITING), { timeout: 60_000 });
  expect((await compose()).status).toBe(429);
  wish.abort();
  await Promise.allSettled(left);
  await vi.waitFor(() => expect(refused()).toBe(MAX_WAITING + 1), { timeout: 60_000 });
  const answer = compose();
  await vi.waitFor(() => expect(turns).toHaveBeenCalledTimes(MAX_WAITING + 2), { timeout: 60_000 });
  giveBack();
  expect((await answer).status).toBe(200);
});

it('a few bytes whose keys stand above many values are large, and too many of them are refused', async () => {
  const leaves = Object.fromEntries(times(1000, () => undefined).map((_, nth) => [`k${nth}`, 0]));
  const config = { ['x'.repeat(5000)]: leaves };
  const recipe_id = await createRecipe({ approval_rules: config });
  const turns = vi.spyOn(service.service.services.largeRecipes, 'run');
  expect((await compose(recipe_id)).status).toBe(200);
  expect(turns).toHaveBeenCalledTimes(1);
  const field = { channel_config: config };
  expect((await tenant.api.put(`/v1/recipes/${recipe_id}`, field)).status).toBe(200);
  const { status, body } = await compose(recipe_id);
  expect([status, body]).toMatchObject([422, { detail: [{ loc: ['body'], msg: TOO_MUCH }] }]);
});

it('a few bytes with many violations are large, and too many of them are refused', async () => {
  const withModels = (count: number) => ({ model_policy: { models: times(count, () => 0) } });
  const recipe_id = await createRecipe(withModels(3000));
  const turns = vi.spyOn(service.service.services.largeRecipes, 'run');
  expect((await compose(recipe_id)).status).toBe(200);
  expect(turns).toHaveBeenCalledTimes(1);
  expect((await tenant.api.put(`/v1/recipes/${recipe_id}`, withModels(49_000))).status).toBe(200);
  const instance_overrides = { skills: times(49_000, () => 0) };
  const { status, body } = await tenant.api.post('/v1/recipes/compose', { recipe_id, instance_overrides });
  expect([status, body]).toMatchObject([422, { detail: [{ loc: ['body'], msg: TOO_MUCH }] }]);
});

it('neither a deploy that is repeated nor a drift that waits holds a configuration', async () => {
  const deploy = await deployable(large);
  const { idempotency_key, instance_id } = (await deploy()).body;
  const { db, largeRecipes } = service.service.services;
  const deployed = await findDeploymentByKey(db.tenant(tenant.tenant_id), idempotency_key);
  expect(deployed).toMatchObject({ instance_id });
  expect(deployed).not.toHaveProperty('resolved_config');
  const giveBack = takeTurns();
  const turns = vi.spyOn(largeRecipes, 'run');
  const drift = tenant.api.get(`/v1/instances/${instance_id}/drift`);
  await vi.waitFor(() => expect(turns).toHaveBeenCalledTimes(1));
  const overrides = { voice_config: { pace: 'slow' } };
  const set = 'update deployments set instance_overrides = $2 where instance_id = $1';
  await service.database.query(set, [instance_id, JSON.stringify(overrides)]);
  giveBack();
  expect((await drift).body).toMatchObject({
    changes: [{ pointer: '/voice_config', deployed: null, current: { pace: 'slow' } }],
  });
});

describe('while it waits for its turn', () => {
  it('a deploy finds that the recipe is not active any more', async () => {
    const recipe_id = await newLarge();
    const deploy = await deployable(recipe_id);
    const { status } = await waiting(deploy, () => change(recipe_id, { is_active: false }));
    expect(status).toBe(409);
  });

  it('a deploy finds that the same one was carried out, and its recipe deleted', async () => {
    const recipe_id = await newLarge();
    const deploy = await deployable(recipe_id);
    const { status, body } = await waiting(deploy, async () => {
      await change(recipe_id, { system_prompt: null });
      expect((await deploy()).status).toBe(202);
      await remove(recipe_id);
    });
    expect([status, body]).toMatchObject([200, { ready: true, instance_id: expect.any(String) as string }]);
  });

  it('a drift finds the recipe deleted', async () => {
    const recipe_id = await newLarge();
    const { instance_id } = (await (await deployable(recipe_id))()).body;
    const drift = () => tenant.api.get(`/v1/instances/${instance_id}/drift`);
    const { status, body } = await waiting(drift, () => remove(recipe_id));
    expect([status, body]).toMatchObject([200, { current_revision: null, drifted: true, changes: [] }]);
  });
});

it('a large revision is restored in its turn, and passed on as PostgreSQL writes it', async () => {
  const recipe_id = await newLarge();
  await change(recipe_id, { system_prompt: null });
  const path = `/v1/recipes/${recipe_id}/revisions/1`;
  const restored = await waiting(
    () => tenant.api.post(`${path}/restore`),
    () => change(recipe_id, { name: 'Other' }),
  );
  expect(restored.body).toMatchObject({ name: 'R', revision: 4, system_prompt: 'x'.repeat(LARGE) });
  const answer = await fetch(service.base_url + path, { headers: tenant.api.headers });
  expect(await answer.text()).toContain('"name": "R"');
});
