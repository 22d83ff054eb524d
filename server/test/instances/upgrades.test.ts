import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { NotYet, PermanentFailure } from '../../src/provisioning/failures.ts';
import { runTask } from '../../src/provisioning/runner.ts';
import { stepsOf } from '../../src/provisioning/steps.ts';
import { ownPlace, RuntimeHost } from '../../src/runtimes/runtime-host.ts';
import { openTransaction } from '../support/connection.ts';
import { createCustomer } from '../support/customers.ts';
import { lockWaits } from '../support/database.ts';
import { sharedService, type TestService, type TestTenant } from '../support/service.ts';

const TIER = randomUUID();
const OTHER_TIER = randomUUID();

let service: TestService;
let tenant: TestTenant;
let host: RuntimeHost;

/** Without jobs: the tests run each task themselves. */
beforeAll(async () => {
  service = await sharedService('idle');
  tenant = await service.createTenant();
  for (const id of [TIER, OTHER_TIER])
    await service.operations.put(`/internal/v1/tiers/${id}`, { name: 'T' });
  await service.operations.put('/internal/v1/regions/eu-1', { name: 'Europe' });
  host = new RuntimeHost(service.service.services, ownPlace(service.service.services));
  await host.start();
});
afterEach(() => void vi.restoreAllMocks());
afterAll(async () => {
  await host.stop();
});

interface Recipe {
  id: string;
  revision: number;
}

const FIRST = {
  system_prompt: 'first',
  skills: ['faq', { slug: 'shifts', pin_required: true }],
  connection_requirements: [{ provider: 'old', optional: true }],
};
const SECOND = {
  system_prompt: 'second',
  skills: ['faq', { slug: 'timesheet', pin_required: true }],
  connection_requirements: [{ provider: 'new', optional: true }],
  compliance_config: { retention_days: 7 },
};

const createRecipe = async (fields: object = FIRST) =>
  (await tenant.api.post<Recipe>('/v1/recipes', { name: 'R', ...fields })).body.id;

const change = (recipe_id: string, fields: object = SECOND) =>
  tenant.api.put(`/v1/recipes/${recipe_id}`, fields);

async function deploy(recipe_id: string, fields: object = {}) {
  const customer_id = await createCustomer(tenant);
  for (const provider of ['old', 'new']) {
    await tenant.api.post(`/v1/customers/${customer_id}/connections`, { provider, credentials: {} });
  }
  const place = { tier_id: TIER, region_id: 'eu-1', hostname: 'h' };
  const { body } = await tenant.api.post<{ instance_id: string; task_id: string }>('/v1/recipes/deploy', {
    recipe_id,
    customer_id,
    ...place,
    ...fields,
  });
  return { ...body, customer_id };
}

async function running(recipe_id: string, fields: object = {}) {
  const deployed = await deploy(recipe_id, fields);
  await run(deployed.task_id);
  return deployed;
}

interface Upgrade {
  task_id: string | null;
  plan_hash: string;
  ready: boolean;
  missing_connections: { provider: string }[];
  changes: { pointer: string }[];
  revision: number;
}

const upgrade = (instance_id: string, body: object = {}) =>
  tenant.api.post<Upgrade>(`/v1/instances/${instance_id}/upgrade`, body);

async function accepted(instance_id: string, body: object = {}): Promise<string> {
  const answer = await upgrade(instance_id, body);
  expect(answer.status, answer.text).toBe(202);
  return answer.body.task_id ?? expect.unreachable();
}

const runOnce = (task_id: string, lastAttempt = false) =>
  runTask(service.service.services, { tenant_id: tenant.tenant_id, task_id }, { lastAttempt });

/** Like its job, runs the task again while it waits. */
async function run(task_id: string, lastAttempt = false): Promise<void> {
  const failure = await vi.waitFor(
    () =>
      runOnce(task_id, lastAttempt).catch((error: unknown) => {
        if (error instanceof NotYet) throw error;
        return error;
      }),
    { timeout: 60_000, interval: 10 },
  );
  if (failure) throw failure;
}

const taskOf = async (task_id: string) =>
  (await tenant.api.get<{ status: string; kind: string; error: string | null }>(`/v1/tasks/${task_id}`)).body;

/** All state that an upgrade changes. */
async function stateOf(instance_id: string) {
  const [instance] = await service.database.query<Record<string, unknown>>(
    `select status, recipe_revision, template_name, manifest_id, resolved_config, provenance from instances where id = $1`,
    [instance_id],
  );
  const deployments = await service.database.query(
    `select recipe_revision, resolved_config, instance_overrides, plan_hash, retention_days, onboarding_flow_id
     from deployments where instance_id = $1 order by created_at, id`,
    [instance_id],
  );
  const grants = await service.database.query(
    `select c.provider from instance_grants g join connections c on c.id = g.connection_id
     where g.instance_id = $1 order by provider`,
    [instance_id],
  );
  const policy = await tenant.api.get<{ pin_required_skills: string[] }>(
    `/v1/instances/${instance_id}/pin-policy`,
  );
  const left = await service.database.query(
    'select 1 from upgrades u join tasks t on t.id = u.task_id where t.instance_id = $1',
    [instance_id],
  );
  return { instance, deployments, grants, skills: policy.body.pin_required_skills, left };
}

describe('an upgrade', () => {
  it('shows its plan, then carries it out in place', async () => {
    const recipe_id = await createRecipe();
    const { instance_id } = await running(recipe_id);
    const before = await tenant.api.get<Record<string, unknown>>(`/v1/instances/${instance_id}`);
    await change(recipe_id);
    const shown = await upgrade(instance_id, { dry_run: true });
    expect(shown.status).toBe(200);
    expect(shown.body).toMatchObject({ task_id: null, ready: true, deployed_revision: 1, revision: 2 });
    expect(shown.body.changes.map(({ pointer }) => pointer).toSorted()).toEqual([
      '/compliance_config',
      '/connection_requirements',
      '/skills',
      '/system_prompt',
    ]);
    expect((await upgrade(instance_id, { plan_hash: 'another' })).status).toBe(409);
    const task_id = await accepted(instance_id, { plan_hash: shown.body.plan_hash });
    await run(task_id);
    expect(await taskOf(task_id)).toMatchObject({ kind: 'upgrade', status: 'succeeded' });
    const after = await tenant.api.get<Record<string, unknown>>(`/v1/instances/${instance_id}`);
    expect(after.body).toMatchObject({
      status: 'running',
      recipe_revision: 2,
      tunnel_address: before.body.tunnel_address,
      resolved_config: { system_prompt: 'second' },
      runtime: before.body.runtime,
    });
    expect(await stateOf(instance_id)).toMatchObject({
      deployments: [{ recipe_revision: 2, retention_days: 7, resolved_config: { system_prompt: 'second' } }],
      grants: [{ provider: 'new' }],
      skills: ['shifts', 'timesheet'],
      left: [],
    });
    const drift = await tenant.api.get(`/v1/instances/${instance_id}/drift`);
    expect(drift.body).toMatchObject({ drifted: false });
  });

  it('writes an event per step and one at the end', async () => {
    const recipe_id = await createRecipe();
    const { instance_id } = await running(recipe_id);
    await change(recipe_id);
    await run(await accepted(instance_id));
    const { body } = await tenant.api.get<{ items: { step: string | null; message: string }[] }>(
      `/v1/instances/${instance_id}/events`,
    );
    const steps = body.items.toReversed().flatMap(({ step }) => step ?? []);
    const provisioned = stepsOf.provision.filter((step) => !step.applies);
    expect(steps.slice(provisioned.length)).toEqual([...stepsOf.upgrade.map(({ name }) => name), 'upgrade']);
    expect(body.items[0]?.message).toBe('Upgraded to revision 2');
  });

  it('writes an event about the PIN policy only when skills newly require a PIN', async () => {
    const recipe_id = await createRecipe();
    const { instance_id } = await running(recipe_id);
    await change(recipe_id, { system_prompt: 'other' });
    await run(await accepted(instance_id));
    const { body } = await tenant.api.get<{ items: { step: string | null; message: string }[] }>(
      `/v1/instances/${instance_id}/events`,
    );
    expect(body.items.filter(({ message }) => message?.startsWith('PIN policy'))).toEqual([
      expect.objectContaining({ message: 'PIN policy made from the recipe' }),
    ]);
    expect((await stateOf(instance_id)).skills).toEqual(['shifts']);
  });

  it('does nothing without changes, but sets the retention of an earlier version’s deployment', async () => {
    const { instance_id } = await running(await createRecipe());
    expect(await upgrade(instance_id)).toMatchObject({ status: 200, body: { task_id: null } });
    await service.database.query('update deployments set retention_days = 0 where instance_id = $1', [
      instance_id,
    ]);
    await run(await accepted(instance_id));
    expect((await stateOf(instance_id)).deployments).toMatchObject([{ retention_days: 30 }]);
  });

  it('keeps the instance’s overrides or replaces them, and can go back to an earlier revision', async () => {
    const recipe_id = await createRecipe();
    const instance_overrides = { system_prompt: 'own' };
    const { instance_id } = await running(recipe_id, { instance_overrides, manifest_id: 'small' });
    await change(recipe_id);
    await run(await accepted(instance_id));
    const prompt = async () => (await stateOf(instance_id)).deployments[0]?.resolved_config;
    expect(await prompt()).toMatchObject({ system_prompt: 'own', manifest_id: 'small' });
    await run(await accepted(instance_id, { instance_overrides: {} }));
    expect(await prompt()).toMatchObject({ system_prompt: 'second', manifest_id: 'small' });
    await run(await accepted(instance_id, { revision: 1 }));
    expect((await stateOf(instance_id)).instance).toMatchObject({
      recipe_revision: 1,
      resolved_config: { system_prompt: 'first' },
    });
    expect((await upgrade(instance_id, { revision: 9 })).status).toBe(404);
  });

  it('repeated while it is under way is the same task; other requests are refused', async () => {
    const recipe_id = await createRecipe();
    const { instance_id } = await running(recipe_id);
    await change(recipe_id);
    const task_id = await accepted(instance_id);
    expect(await accepted(instance_id)).toBe(task_id);
    expect((await upgrade(instance_id, { instance_overrides: { system_prompt: 'x' } })).status).toBe(409);
    expect((await tenant.api.post(`/v1/instances/${instance_id}/stop`)).status).toBe(409);
    expect((await tenant.api.post(`/v1/tasks/${task_id}/cancel`)).status).toBe(202);
    expect((await upgrade(instance_id)).status).toBe(409);
    await run(task_id);
    expect(await taskOf(task_id)).toMatchObject({ status: 'canceled' });
    expect((await stateOf(instance_id)).instance).toMatchObject({ recipe_revision: 1 });
  });

  it('asked for while the same upgrade is applied is the same task', async () => {
    const recipe_id = await createRecipe();
    const { instance_id } = await running(recipe_id);
    await change(recipe_id);
    const task_id = await accepted(instance_id);
    const applied = await openTransaction(service.database.url, [
      `update instances i set recipe_revision = u.recipe_revision, resolved_config = u.resolved_config
       from upgrades u where u.task_id = $2 and i.id = $1`,
      [instance_id, task_id],
    ]);
    const asked = Promise.all([upgrade(instance_id), upgrade(instance_id)]);
    await lockWaits(service.database, 2);
    await applied.end('commit');
    expect((await asked).map(({ status, body }) => [status, body.task_id])).toEqual([
      [202, task_id],
      [202, task_id],
    ]);
  });

  it('is refused only for missing connections that the running configuration does not need', async () => {
    const recipe_id = await createRecipe({ connection_requirements: ['old'] });
    const { instance_id, customer_id } = await running(recipe_id);
    const connections = `/v1/customers/${customer_id}/connections`;
    const { body } = await tenant.api.get<{ items: { id: string; provider: string }[] }>(connections);
    const old = body.items.find(({ provider }) => provider === 'old');
    await tenant.api.request('DELETE', `${connections}/${old?.id}`);
    await change(recipe_id, { connection_requirements: ['old', 'crm'] });
    const missing_connections = [{ provider: 'crm', name: null, reason: 'missing' }];
    expect(await upgrade(instance_id)).toMatchObject({ status: 409, body: { missing_connections } });
    const shown = await upgrade(instance_id, { dry_run: true });
    expect(shown).toMatchObject({ status: 200, body: { ready: false, missing_connections } });
    await tenant.api.post(connections, { provider: 'crm', credentials: {} });
    await run(await accepted(instance_id));
  });

  it('wakes conversations that wait for the opening hours', async () => {
    const recipe_id = await createRecipe({ channel_config: { business_hours: { mon: [] } } });
    const { instance_id } = await running(recipe_id);
    const begun = await tenant.api.post<{ conversation_id: string }>(
      `/v1/instances/${instance_id}/playground`,
      { text: 'anybody?' },
    );
    const key = begun.body.conversation_id;
    await service.database.query(`update conversations set away_until = 'infinity' where id = $1`, [key]);
    const later = `update jobs set run_at = 'infinity', due_at = 'infinity' where key = $1`;
    await service.database.query(later, [key]);
    await change(recipe_id, { channel_config: null });
    await run(await accepted(instance_id));
    const due = `select due_at <= now() as is_due from jobs where kind = 'converse' and key = $1`;
    expect(await service.database.query(due, [key])).toEqual([{ is_due: true }]);
  });

  it('of a stopped instance leaves it stopped until its next start', async () => {
    const recipe_id = await createRecipe();
    const { instance_id } = await running(recipe_id);
    const stop = await tenant.api.post<{ task_id: string }>(`/v1/instances/${instance_id}/stop`);
    await run(stop.body.task_id);
    await change(recipe_id);
    await run(await accepted(instance_id));
    expect(await stateOf(instance_id)).toMatchObject({
      instance: { status: 'stopped', recipe_revision: 2 },
      grants: [{ provider: 'new' }],
    });
    expect(service.engine.running.has(instance_id)).toBe(false);
  });

  it('replaces the runtime when its specification changes', async () => {
    const manifest_id = 'with-a-command';
    await service.operations.put(`/internal/v1/manifests/${manifest_id}`, { command: ['agent'] });
    const recipe_id = await createRecipe({ ...FIRST, manifest_id });
    const { instance_id } = await running(recipe_id);
    const generation = async () =>
      (
        await tenant.api.get<{ runtime: { generation: number; state: string } }>(
          `/v1/instances/${instance_id}`,
        )
      ).body.runtime;
    expect(await generation()).toMatchObject({ generation: 1, state: 'up' });
    await change(recipe_id, { ...SECOND, manifest_id });
    after('apply_configuration', async () => void (await setSendApi('http://other.invalid')));
    await run(await accepted(instance_id));
    expect(await generation()).toMatchObject({ generation: 2, state: 'up' });
    vi.restoreAllMocks();
    await change(recipe_id, { system_prompt: 'third', manifest_id });
    after('apply_configuration', async () => void (await setSendApi('http://third.invalid')));
    after('renew_runtime', () => Promise.reject(new PermanentFailure('It is of no use')));
    const task_id = await accepted(instance_id);
    await run(task_id).catch(() => run(task_id));
    expect(await taskOf(task_id)).toMatchObject({ status: 'failed', error: 'It is of no use' });
    expect(await generation()).toMatchObject({ generation: 4, state: 'up' });
    expect((await stateOf(instance_id)).instance).toMatchObject({ recipe_revision: 2, status: 'running' });
  });

  it('that cannot be undone leaves the instance failed until a retry', async () => {
    const recipe_id = await createRecipe();
    const { instance_id } = await running(recipe_id);
    await change(recipe_id);
    const task_id = await accepted(instance_id);
    vi.spyOn(service.runtimes, 'putSecrets').mockRejectedValue(new Error('The runtime is away'));
    for (let attempt = 0; attempt < 3; attempt++) await run(task_id, true).catch(() => {});
    expect(await taskOf(task_id)).toMatchObject({ status: 'failed' });
    expect((await stateOf(instance_id)).instance).toMatchObject({ status: 'failed', recipe_revision: 1 });
    vi.restoreAllMocks();
    const retry = await tenant.api.post<{ task_id: string }>(`/v1/instances/${instance_id}/retry`);
    await run(retry.body.task_id);
    expect((await stateOf(instance_id)).instance).toMatchObject({ status: 'running' });
  });
});

/** Changes the specification of runtimes. */
const setSendApi = (chatapp_api_base_url: string) =>
  service.operations.put('/internal/v1/regions/eu-1', { name: 'Europe', chatapp_api_base_url });

/** Calls back after the work of a step, before it is recorded as done. */
function after(name: string, callback: () => Promise<void>): void {
  const step = stepsOf.upgrade.find((one) => one.name === name) ?? expect.unreachable();
  const original = step.run.bind(step);
  vi.spyOn(step, 'run').mockImplementation(async (...args) => {
    await original(...args);
    await callback();
  });
}

describe.each(stepsOf.upgrade.map(({ name }) => name))('an upgrade whose runner is lost after %s', (name) => {
  it('continues and ends upgraded', async () => {
    const recipe_id = await createRecipe();
    const { instance_id } = await running(recipe_id);
    await change(recipe_id);
    const task_id = await accepted(instance_id);
    after(name, () => Promise.reject(new Error('killed')));
    await expect(run(task_id)).rejects.toThrow('killed');
    vi.restoreAllMocks();
    await run(task_id);
    expect(await stateOf(instance_id)).toMatchObject({
      instance: { status: 'running', recipe_revision: 2, resolved_config: { system_prompt: 'second' } },
      deployments: [{ recipe_revision: 2, retention_days: 7 }],
      grants: [{ provider: 'new' }],
      skills: ['shifts', 'timesheet'],
      left: [],
    });
  });

  it('that fails there permanently restores the earlier state', async () => {
    const recipe_id = await createRecipe();
    const { instance_id } = await running(recipe_id);
    const before = await stateOf(instance_id);
    await change(recipe_id);
    const task_id = await accepted(instance_id);
    after(name, () => Promise.reject(new PermanentFailure('It is of no use')));
    await run(task_id);
    expect(await taskOf(task_id)).toMatchObject({ status: 'failed', error: 'It is of no use' });
    expect(await stateOf(instance_id)).toEqual(before);
  });
});

describe('a shared instance', () => {
  const SHARED = { hosting_mode: 'shared' };

  it('is upgraded with all its deployments, each with its own overrides', async () => {
    const recipe_id = await createRecipe();
    const first = await running(recipe_id, SHARED);
    const second = await running(recipe_id, { ...SHARED, instance_overrides: { system_prompt: 'own' } });
    expect(second.instance_id).toBe(first.instance_id);
    await change(recipe_id);
    const given = await upgrade(first.instance_id, { instance_overrides: {} });
    expect(given.status).toBe(422);
    await run(await accepted(first.instance_id));
    expect((await stateOf(first.instance_id)).deployments).toMatchObject([
      { recipe_revision: 2, resolved_config: { system_prompt: 'second' } },
      {
        recipe_revision: 2,
        resolved_config: { system_prompt: 'own', compliance_config: { retention_days: 7 } },
      },
    ]);
  });

  it('accepts no deploy while it is upgraded, and none of another tier', async () => {
    const recipe_id = await createRecipe();
    const first = await running(recipe_id, SHARED);
    expect((await deploy(recipe_id, { ...SHARED, tier_id: OTHER_TIER })).instance_id).not.toBe(
      first.instance_id,
    );
    const joining = await deploy(recipe_id, SHARED);
    expect(joining.instance_id).toBe(first.instance_id);
    await change(recipe_id);
    expect((await upgrade(first.instance_id)).status).toBe(409);
    await run(joining.task_id);
    const task_id = await accepted(first.instance_id, { revision: 2 });
    await change(recipe_id, FIRST);
    const late = await deploy(recipe_id, SHARED);
    expect(late.instance_id).not.toBe(first.instance_id);
    await run(task_id);
  });

  it('lists its deployments, which can leave at once; the last one terminates it', async () => {
    const recipe_id = await createRecipe();
    const first = await running(recipe_id, SHARED);
    const second = await running(recipe_id, SHARED);
    const path = `/v1/instances/${first.instance_id}/deployments`;
    const list = async () =>
      (await tenant.api.get<{ items: { id: string; customer_id: string }[] }>(path)).body.items;
    const [newer, older] = await list();
    expect([newer?.customer_id, older?.customer_id]).toEqual([second.customer_id, first.customer_id]);
    const leave = (id: string | undefined) =>
      tenant.api.request<{ task_id: string; kind: string }>('DELETE', `${path}/${id}`);
    // Its deploy created the instance.
    const left = await leave(older?.id);
    expect(left).toMatchObject({ status: 202, body: { kind: 'leave' } });
    expect((await list()).map(({ id }) => id)).toEqual([newer?.id]);
    expect((await leave(older?.id)).status).toBe(404);
    await run(left.body.task_id);
    const granted = await service.database.query<{ customer_id: string }>(
      `select distinct c.customer_id from instance_grants g join connections c on c.id = g.connection_id
       where g.instance_id = $1`,
      [first.instance_id],
    );
    expect(granted).toEqual([{ customer_id: second.customer_id }]);
    await change(recipe_id);
    await run(await accepted(first.instance_id));
    const last = await leave(newer?.id);
    expect(last).toMatchObject({ status: 202, body: { kind: 'terminate' } });
    await run(last.body.task_id);
    expect((await stateOf(first.instance_id)).instance).toMatchObject({ status: 'terminated' });
  });
});
