import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { text as readAll } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openTransaction, withConnection } from '../support/connection.ts';
import { createCustomer } from '../support/customers.ts';
import { lockWaits } from '../support/database.ts';
import { setInstanceStatus } from '../support/instances.ts';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';

const TIER = randomUUID();

interface Deployed {
  instance_id: string;
  task_id: string;
  idempotency_key: string;
  ready: boolean;
  missing_connections: { provider: string; reason: string }[];
}

let service: TestService;
let tenant: TestTenant;
let customer_id: string;

/** No two calls return the same time. */
let calls = 0;
const clock = () => new Date(Date.now() + calls++);

beforeAll(async () => {
  service = await startTestService({ clock });
  tenant = await service.createTenant();
  expect((await service.operations.put(`/internal/v1/tiers/${TIER}`, { name: 'Small' })).status).toBe(201);
  expect((await service.operations.put('/internal/v1/regions/eu-1', { name: 'Europe' })).status).toBe(201);
  customer_id = await createCustomer(tenant);
});
afterAll(() => service.stop());

async function createRecipe(fields: object = {}): Promise<string> {
  const { body, status } = await tenant.api.post<{ id: string }>('/v1/recipes', { name: 'R', ...fields });
  expect(status).toBe(201);
  return body.id;
}

const deploy = (recipe_id: string, fields: object = {}) =>
  tenant.api.post<Deployed>('/v1/recipes/deploy', {
    recipe_id,
    customer_id,
    tier_id: TIER,
    region_id: 'eu-1',
    hostname: 'agent.example.com',
    ...fields,
  });

/** Skips the pauses between attempts of jobs. */
const RETRY_NOW = `update jobs set due_at = now() where claim is null and due_at > now()
                   returning attempts, pg_notify('jobs', kind)`;

const getTask = async (task_id: string) =>
  (await tenant.api.get<{ status: string; error: string }>(`/v1/tasks/${task_id}`)).body;

/** Waits until a step had more attempts than a failing task gets. */
async function untilOftenTried(task_id: string) {
  const triedOften = `select from task_steps where task_id = $1 and attempts > 4`;
  await vi.waitFor(
    async () => {
      await service.database.query(RETRY_NOW);
      expect(await service.database.query(triedOften, [task_id])).not.toEqual([]);
    },
    { timeout: 60_000, interval: 50 },
  );
  return getTask(task_id);
}

const untilSucceeded = (task_id: string) =>
  vi.waitFor(
    async () => {
      await service.database.query(RETRY_NOW);
      expect((await getTask(task_id)).status).toBe('succeeded');
    },
    { timeout: 60_000, interval: 50 },
  );

const status = async (instance_id: string) =>
  (await tenant.api.get<{ status: string }>(`/v1/instances/${instance_id}`)).body.status;

const until = (instance_id: string, wanted: string) =>
  vi.waitFor(async () => expect(await status(instance_id)).toBe(wanted), { timeout: 60_000, interval: 30 });

/** Waits until the task is at the step that an unhealthy runtime blocks. @param task its path */
const untilHealthIsAwaited = (task: string) =>
  vi.waitFor(
    async () => expect((await tenant.api.get<{ step: string }>(task)).body.step).toBe('wait_for_health'),
    { timeout: 60_000 },
  );

interface EventRow {
  id: number;
  at: string;
  from: string | null;
  to: string;
  step: string | null;
}
const listEvents = async (instance_id: string) => {
  const { body } = await tenant.api.get<{ items: EventRow[] }>(
    `/v1/instances/${instance_id}/events?per_page=100`,
  );
  return body.items.toReversed();
};
const moves = async (instance_id: string) =>
  (await listEvents(instance_id)).filter(({ from, to }) => from !== to);

describe('deploy', () => {
  it('enqueues provisioning, which ends with a running instance', async () => {
    const { status: code, body } = await deploy(await createRecipe());
    expect(code).toBe(202);
    expect(body).toMatchObject({ ready: true, missing_connections: [], template_name: 'R' });
    await until(body.instance_id, 'running');
    expect((await moves(body.instance_id)).map(({ to }) => to)).toEqual([
      'pending',
      'provisioning',
      'running',
    ]);
    const { body: task } = await tenant.api.get(`/v1/tasks/${body.task_id}`);
    expect(task).toMatchObject({
      status: 'succeeded',
      progress: 100,
      instance_id: body.instance_id,
      error: null,
    });
    const environment = service.engine.running.get(body.instance_id)?.environment;
    expect(environment?.PROXY_KEY).toMatch(/^apk_/);
  });

  it('creates one instance for 50 identical concurrent requests', async () => {
    const recipe_id = await createRecipe();
    const idempotency_key = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => deploy(recipe_id, { idempotency_key })),
    );
    expect(answers.filter(({ status }) => status === 202).length).toBe(1);
    expect(answers.filter(({ status }) => status === 200).length).toBe(49);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    const { body } = await tenant.api.get<{ total: number }>(`/v1/instances?recipe_id=${recipe_id}`);
    expect(body.total).toBe(1);
    const instance_id = answers[0]?.body.instance_id ?? '';
    await until(instance_id, 'running');
    expect(service.engine.started.filter((id) => id === instance_id)).toEqual([instance_id]);
  });

  it('keeps the keys of tenants apart', async () => {
    const other = await service.createTenant();
    const idempotency_key = randomUUID();
    const first = await deploy(await createRecipe(), { idempotency_key });
    const theirs = await other.api.post<{ id: string }>('/v1/recipes', { name: 'R' });
    const { status: code, body } = await other.api.post<{ instance_id: string }>('/v1/recipes/deploy', {
      recipe_id: theirs.body.id,
      customer_id: await createCustomer(other),
      tier_id: TIER,
      region_id: 'eu-1',
      hostname: 'h',
      idempotency_key,
    });
    expect([code, body.instance_id]).toEqual([202, expect.not.stringMatching(first.body.instance_id)]);
    await until(first.body.instance_id, 'running');
  });

  it('lists the missing connections, keeps the key free, and deploys once they are there', async () => {
    const recipe_id = await createRecipe({ connection_requirements: [{ provider: 'google_drive' }] });
    const idempotency_key = randomUUID();
    const before = await deploy(recipe_id, { idempotency_key });
    expect(before.status).toBe(200);
    expect(before.body).toMatchObject({
      ready: false,
      instance_id: null,
      task_id: null,
      missing_connections: [{ provider: 'google_drive', reason: 'missing' }],
    });
    const connection = { provider: 'google_drive', credentials: { refresh_token: 'planted' } };
    await tenant.api.post(`/v1/customers/${customer_id}/connections`, connection);
    const after = await deploy(recipe_id, { idempotency_key });
    expect(after.status).toBe(202);
    await until(after.body.instance_id, 'running');
    const sent = service.runtimes.secrets.find(({ address }) => address.includes(after.body.instance_id));
    expect(JSON.stringify(sent?.secrets)).toContain('planted');
  });

  it('warns of an invalid retention, and then keeps no contents', async () => {
    const recipe_id = await createRecipe({ compliance_config: { retention_days: 366 } });
    const path = '/compliance_config/retention_days';
    const { body } = await deploy(recipe_id);
    expect(body).toMatchObject({ violations: [{ code: 'invalid_value', path }] });
    const kept = 'select retention_days from deployments where recipe_id = $1';
    expect(await service.database.query(kept, [recipe_id])).toEqual([{ retention_days: 0 }]);
  });

  it('is checked against the customer’s current connections; violations do not block it', async () => {
    const recipe_id = await createRecipe({ connection_requirements: ['gmail'] });
    const [own, other] = [await createCustomer(tenant), await createCustomer(tenant)];
    const check = async () => {
      const { body } = await tenant.api.post<Deployed & { violations: { code: string }[] }>(
        '/v1/recipes/deploy-check',
        { recipe_id, customer_id: own, hostname: 'h', instance_overrides: { nickname: 'x' } },
      );
      expect(body.violations.map(({ code }) => code)).toEqual(['unknown_field', 'not_approved']);
      return [body.ready, ...body.missing_connections.map(({ reason }) => reason)];
    };
    const connect = (id: string) =>
      tenant.api.post(`/v1/customers/${id}/connections`, { provider: 'gmail', credentials: { token: 't' } });
    expect((await connect(other)).status).toBe(201);
    expect(await check()).toEqual([false, 'missing']);
    expect((await connect(own)).status).toBe(201);
    expect(await check()).toEqual([true]);
    await service.database.query('update connections set expires_at = now() where customer_id = $1', [own]);
    expect(await check()).toEqual([false, 'expired']);
  });

  it('warns where the PIN policy will be enforced and the customer has no PIN', async () => {
    const recipe_id = await createRecipe({ compliance_config: { pin_enforced: true } });
    const lax = await createRecipe({ compliance_config: { pin_enforced: 'true' } });
    const own = await createCustomer(tenant);
    const violations = async (recipe: string) => {
      const request = { recipe_id: recipe, customer_id: own, hostname: 'h' };
      const { body } = await tenant.api.post<{ violations: object[] }>('/v1/recipes/deploy-check', request);
      return body.violations;
    };
    const warning = {
      code: 'pin_not_set',
      path: '/compliance_config/pin_enforced',
      kind: null,
      slug: null,
      message: 'The customer has no PIN: protected skills answer nobody until one is set',
    };
    expect(await violations(recipe_id)).toEqual([warning]);
    expect(await violations(lax)).toMatchObject([{ code: 'invalid_value', path: warning.path }]);
    const deployed = await deploy(recipe_id, { customer_id: own });
    expect(deployed).toMatchObject({ status: 202, body: { violations: [warning] } });
    await tenant.api.post(`/v1/customers/${own}/pin`, { pin: '2468' });
    expect(await violations(recipe_id)).toEqual([]);
  });

  it('warns of a hostname that a live instance of the tenant has, and blocks nothing', async () => {
    const recipe_id = await createRecipe({});
    const check = async (api = tenant.api) => {
      const request = { recipe_id, customer_id, hostname: 'Taken.example.com' };
      const { body } = await api.post<Deployed & { plan_hash: string; violations: object[] }>(
        '/v1/recipes/deploy-check',
        request,
      );
      return body;
    };
    const before = await check();
    expect(before.violations).toEqual([]);
    const { body } = await deploy(recipe_id, { hostname: 'taken.example.com' });
    const after = await check();
    expect(after).toMatchObject({
      ready: true,
      plan_hash: before.plan_hash,
      violations: [{ code: 'hostname_in_use', path: '/hostname', kind: null, slug: null }],
    });
    const again = await deploy(recipe_id, { hostname: 'taken.example.com', plan_hash: after.plan_hash });
    expect(again.status).toBe(202);
    await service.database.query(`update instances set status = 'terminated' where id = any($1)`, [
      [body.instance_id, again.body.instance_id],
    ]);
    expect((await check()).violations).toEqual([]);
  });

  it('carries out exactly the checked plan, or nothing', async () => {
    const recipe_id = await createRecipe({ system_prompt: 'one' });
    const checked = await tenant.api.post<{ plan_hash: string }>('/v1/recipes/deploy-check', {
      recipe_id,
      customer_id,
      hostname: 'h',
    });
    const { plan_hash } = checked.body;
    const composed = await tenant.api.post<{ plan_hash: string }>('/v1/recipes/compose', { recipe_id });
    expect(composed.body.plan_hash).toBe(plan_hash);
    const alike = await createRecipe({ system_prompt: 'one' });
    expect((await deploy(alike, { plan_hash })).status).toBe(409);
    for (const change of [{ description: 'of the same' }, { system_prompt: 'two' }]) {
      await tenant.api.put(`/v1/recipes/${recipe_id}`, change);
      expect((await deploy(recipe_id, { plan_hash })).status).toBe(409);
    }
    await tenant.api.put(`/v1/recipes/${recipe_id}`, { is_active: false });
    expect((await deploy(recipe_id)).status).toBe(409);
  });

  it('configures its instance with its own manifest, also on a shared instance', async () => {
    const recipe_id = await createRecipe({ manifest_id: 'of-the-recipe' });
    const { body: checked } = await tenant.api.post<{ plan_hash: string }>('/v1/recipes/compose', {
      recipe_id,
    });
    const own = { manifest_id: 'own', plan_hash: checked.plan_hash };
    const { body, status } = await deploy(recipe_id, own);
    expect(status).toBe(202);
    const instance = await tenant.api.get(`/v1/instances/${body.instance_id}`);
    expect(instance.body).toMatchObject({
      manifest_id: 'own',
      resolved_config: { manifest_id: 'own' },
      provenance: { '/manifest_id': 'override' },
    });
    const drift = await tenant.api.get(`/v1/instances/${body.instance_id}/drift`);
    expect(drift.body).toMatchObject({ drifted: false, changes: [] });

    await deploy(recipe_id, { hosting_mode: 'shared' });
    const other = await createCustomer(tenant);
    const joined = await deploy(recipe_id, {
      hosting_mode: 'shared',
      customer_id: other,
      manifest_id: 'own',
    });
    await untilSucceeded(joined.body.task_id);
    const path = `/internal/v1/instances/${joined.body.instance_id}/customer-config?customer_id=${other}`;
    expect((await service.operations.get(path)).body).toMatchObject({ config: { manifest_id: 'own' } });
  });

  it('answers a repeated key with the same instance, even if the request differs', async () => {
    const recipe_id = await createRecipe({ skills: ['not_approved'] });
    const idempotency_key = randomUUID();
    const first = await deploy(recipe_id, { idempotency_key });
    await tenant.api.put(`/v1/recipes/${recipe_id}`, { is_active: false });
    for (const fields of [
      {},
      { plan_hash: 'another' },
      { customer_id: randomUUID() },
      { recipe_id: randomUUID() },
      { tier_id: randomUUID(), region_id: 'nowhere' },
    ]) {
      const { status, text } = await deploy(recipe_id, { ...fields, idempotency_key });
      expect([fields, status, text]).toEqual([fields, 200, first.text]);
    }
  });

  it('answers 404 for targets that are unknown, inactive or another tenant’s', async () => {
    const recipe_id = await createRecipe();
    const stranger = await service.createTenant();
    const theirs = await createCustomer(stranger);
    const closed = randomUUID();
    await service.operations.put(`/internal/v1/tiers/${closed}`, { name: 'Closed', is_active: false });
    await service.operations.put('/internal/v1/regions/closed', { name: 'Closed', is_active: false });
    for (const fields of [
      { customer_id: randomUUID() },
      { customer_id: theirs },
      { tier_id: randomUUID() },
      { tier_id: closed },
      { region_id: 'nowhere' },
      { region_id: 'closed' },
      { recipe_id: randomUUID() },
    ]) {
      expect((await deploy(recipe_id, fields)).status).toBe(404);
    }
  });
});

describe('shared hosting', () => {
  it('fills an instance to its capacity and no further, under concurrency', async () => {
    const recipe_id = await createRecipe({ hosting_mode: 'shared', shared_node_capacity: 10 });
    const customers = await Promise.all(Array.from({ length: 25 }, () => createCustomer(tenant)));
    const answers = await Promise.all(customers.map((id) => deploy(recipe_id, { customer_id: id })));
    expect(answers.every(({ status }) => status === 202)).toBe(true);
    const counts = new Map<string, number>();
    for (const { body } of answers) counts.set(body.instance_id, (counts.get(body.instance_id) ?? 0) + 1);
    expect([...counts.values()].toSorted((a, b) => a - b)).toEqual([5, 10, 10]);
    for (const { body } of answers) {
      await vi.waitFor(
        async () => {
          const { body: task } = await tenant.api.get<{ status: string }>(`/v1/tasks/${body.task_id}`);
          expect(task.status).toBe('succeeded');
        },
        { timeout: 60_000 },
      );
    }
  });

  it('is chosen by the deploy, else by the recipe', async () => {
    const recipe_id = await createRecipe({ hosting_mode: 'shared', shared_node_capacity: 20 });
    const hosting = async (fields: object) => {
      const { body } = await deploy(recipe_id, fields);
      const instance = await tenant.api.get<Record<string, unknown>>(`/v1/instances/${body.instance_id}`);
      return [instance.body.hosting_mode, instance.body.shared_node_capacity];
    };
    expect(await hosting({ hosting_mode: 'dedicated', shared_node_capacity: 30 })).toEqual(['dedicated', 1]);
    expect(await hosting({})).toEqual(['shared', 20]);
    await tenant.api.put(`/v1/recipes/${recipe_id}`, { system_prompt: 'another revision' });
    expect(await hosting({ shared_node_capacity: 30 })).toEqual(['shared', 30]);
  });

  it('is joined only in the same region and revision, and not while it is stopped', async () => {
    await service.operations.put('/internal/v1/regions/eu-2', { name: 'Elsewhere' });
    const recipe_id = await createRecipe({ hosting_mode: 'shared' });
    const node = async (fields: object = {}) => (await deploy(recipe_id, fields)).body.instance_id;
    const first = await node();
    const elsewhere = await node({ region_id: 'eu-2' });
    expect(elsewhere).not.toBe(first);
    expect([await node(), await node({ region_id: 'eu-2' })]).toEqual([first, elsewhere]);
    await setInstanceStatus(service, first, 'stopped');
    const second = await node();
    expect(second).not.toBe(first);
    await tenant.api.put(`/v1/recipes/${recipe_id}`, { system_prompt: 'another revision' });
    expect([first, second]).not.toContain(await node());
  });

  it('places no customer on an instance whose termination commits meanwhile', async () => {
    const recipe_id = await createRecipe({ hosting_mode: 'shared' });
    const { instance_id } = (await deploy(recipe_id)).body;
    await until(instance_id, 'running');
    const ending = await openTransaction(service.database.url, [
      `update instances set status = 'terminating' where id = $1`,
      [instance_id],
    ]);
    const joining = deploy(recipe_id);
    await lockWaits(service.database, 1);
    await ending.end('commit');
    expect((await joining).body.instance_id).not.toBe(instance_id);
  });

  it('waits without a timeout for an instance that starts slowly', async () => {
    let release: (() => void) | undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const ensure = service.engine.ensure.bind(service.engine);
    const slow = vi.spyOn(service.engine, 'ensure').mockImplementation(async (spec, minted) => {
      await held;
      return ensure(spec, minted);
    });
    const recipe_id = await createRecipe({ hosting_mode: 'shared' });
    const shared = { hosting_mode: 'shared', shared_node_capacity: 10 };
    const { body: first } = await deploy(recipe_id, shared);
    const { body: second } = await deploy(recipe_id, shared);
    expect(second.instance_id).toBe(first.instance_id);
    expect(await untilOftenTried(second.task_id)).toMatchObject({ status: 'running', error: null });
    release?.();
    await until(first.instance_id, 'running');
    slow.mockRestore();
    await untilSucceeded(second.task_id);
  });
});

describe('lifecycle', () => {
  it('stops, starts and terminates; illegal moves are 409', async () => {
    const { body } = await deploy(await createRecipe());
    const path = `/v1/instances/${body.instance_id}`;
    await until(body.instance_id, 'running');
    expect((await tenant.api.post(`${path}/start`)).status).toBe(409);
    expect((await tenant.api.post(`${path}/retry`)).status).toBe(409);
    expect((await tenant.api.post(`${path}/stop`)).status).toBe(202);
    await until(body.instance_id, 'stopped');
    expect(service.engine.running.has(body.instance_id)).toBe(false);
    expect((await tenant.api.post(`${path}/start`)).status).toBe(202);
    await until(body.instance_id, 'running');
    expect((await tenant.api.delete(path)).status).toBe(202);
    await until(body.instance_id, 'terminated');
    expect((await tenant.api.delete(path)).status).toBe(409);
    expect(service.engine.running.has(body.instance_id)).toBe(false);
    expect((await moves(body.instance_id)).map(({ to }) => to)).toEqual(
      'pending provisioning running stopped running terminating terminated'.split(' '),
    );
  });

  it('undoes a deploy that fails permanently, and provisions again on retry', async () => {
    const { runtimes } = service;
    runtimes.healthy = false;
    service.engine.failure = 'spec_rejected';
    const { body } = await deploy(await createRecipe());
    try {
      await vi.waitFor(async () => expect(await status(body.instance_id)).toBe('failed'), {
        timeout: 120_000,
      });
    } finally {
      service.engine.failure = undefined;
      runtimes.healthy = true;
    }
    const { body: task } = await tenant.api.get(`/v1/tasks/${body.task_id}`);
    expect(task).toMatchObject({
      status: 'failed',
      step: 'start_runtime',
      error: 'The engine refused to start the runtime',
    });
    const keys = await service.database.query('select from proxy_keys where instance_id = $1', [
      body.instance_id,
    ]);
    expect(keys).toEqual([]);
    expect((await tenant.api.post(`/v1/instances/${body.instance_id}/retry`)).status).toBe(202);
    await until(body.instance_id, 'running');
  });

  it('cancels a deploy and undoes it', async () => {
    service.runtimes.healthy = false;
    const { body } = await deploy(await createRecipe());
    const path = `/v1/tasks/${body.task_id}`;
    await untilHealthIsAwaited(path);
    expect((await tenant.api.post(`${path}/cancel`, { expect_status: 'queued' })).status).toBe(412);
    expect((await tenant.api.post(`${path}/cancel`, { expect_status: 'running' })).status).toBe(202);
    await vi.waitFor(
      async () => expect((await tenant.api.get<{ status: string }>(path)).body.status).toBe('canceled'),
      { timeout: 60_000 },
    );
    service.runtimes.healthy = true;
    expect(await status(body.instance_id)).toBe('terminated');
    expect(service.engine.running.has(body.instance_id)).toBe(false);
    expect((await tenant.api.post(`${path}/cancel`)).status).toBe(409);
  });

  it('undoes a deploy that is canceled as its last step ends', async () => {
    let task_id = '';
    // Several health checks may run at once.
    let canceled: Promise<{ status: number }> | undefined;
    const isHealthy = vi.spyOn(service.runtimes, 'isHealthy').mockImplementation(async () => {
      if (task_id === '') return false;
      canceled ??= tenant.api.post(`/v1/tasks/${task_id}/cancel`);
      await canceled;
      return true;
    });
    const { body } = await deploy(await createRecipe());
    task_id = body.task_id;
    await vi.waitFor(
      async () => {
        const { body: task } = await tenant.api.get<{ finished_at: string | null }>(`/v1/tasks/${task_id}`);
        expect(task.finished_at).not.toBeNull();
      },
      { timeout: 60_000 },
    );
    isHealthy.mockRestore();
    expect(await canceled).toMatchObject({ status: 202 });
    expect((await tenant.api.get(`/v1/tasks/${task_id}`)).body).toMatchObject({ status: 'canceled' });
    expect(await status(body.instance_id)).toBe('terminated');
    expect(service.engine.running.has(body.instance_id)).toBe(false);
  });

  it('terminates an instance during its provisioning', async () => {
    service.runtimes.healthy = false;
    const { body } = await deploy(await createRecipe());
    await vi.waitFor(() => expect(service.engine.running.has(body.instance_id)).toBe(true), {
      timeout: 60_000,
    });
    expect((await tenant.api.delete(`/v1/instances/${body.instance_id}`)).status).toBe(202);
    await until(body.instance_id, 'terminated');
    service.runtimes.healthy = true;
    expect(service.engine.running.has(body.instance_id)).toBe(false);
  });

  it('refuses to start an instance while its canceled start is being undone', async () => {
    const { body } = await deploy(await createRecipe());
    const path = `/v1/instances/${body.instance_id}`;
    await until(body.instance_id, 'running');
    await tenant.api.post(`${path}/stop`);
    await until(body.instance_id, 'stopped');
    service.runtimes.healthy = false;
    const { body: start } = await tenant.api.post<{ task_id: string }>(`${path}/start`);
    const task = `/v1/tasks/${start.task_id}`;
    await untilHealthIsAwaited(task);
    let goOn: (() => void) | undefined;
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const stop = vi.spyOn(service.engine, 'remove').mockImplementation(async (id) => {
      await held;
      service.engine.lose(id);
    });
    expect((await tenant.api.post(`${task}/cancel`)).status).toBe(202);
    service.runtimes.healthy = true;
    expect((await tenant.api.post(`${path}/start`)).status).toBe(409);
    goOn?.();
    await vi.waitFor(
      async () => expect((await tenant.api.get<{ status: string }>(task)).body.status).toBe('canceled'),
      { timeout: 60_000 },
    );
    stop.mockRestore();
    expect((await tenant.api.post(`${path}/start`)).status).toBe(202);
    await until(body.instance_id, 'running');
    expect(service.engine.running.has(body.instance_id)).toBe(true);
  });

  it('stops an instance of a silent host once the host counts as dead', async () => {
    const { body } = await deploy(await createRecipe());
    const path = `/v1/instances/${body.instance_id}`;
    await until(body.instance_id, 'running');
    const host = randomUUID();
    await service.database.query(
      `with host as (insert into runtime_hosts (id, seen_at) values ($2, now() + interval '1 hour') returning id)
       update runtimes set host_id = host.id from host where instance_id = $1`,
      [body.instance_id, host],
    );
    const { body: stop } = await tenant.api.post<{ task_id: string }>(`${path}/stop`);
    expect(await untilOftenTried(stop.task_id)).toMatchObject({ status: 'running', error: null });
    await service.database.query('delete from runtime_hosts where id = $1', [host]);
    await untilSucceeded(stop.task_id);
    expect(await status(body.instance_id)).toBe('stopped');
  });

  it('retries a failing termination without end', async () => {
    const { body } = await deploy(await createRecipe());
    await until(body.instance_id, 'running');
    const stop = vi.spyOn(service.engine, 'remove').mockRejectedValue(new Error('The engine is away'));
    expect((await tenant.api.delete(`/v1/instances/${body.instance_id}`)).status).toBe(202);
    await vi.waitFor(() => expect(stop.mock.calls.length).toBeGreaterThan(4), { timeout: 60_000 });
    expect(await status(body.instance_id)).toBe('terminating');
    stop.mockRestore();
    await until(body.instance_id, 'terminated');
  });

  it('does not deadlock with a termination at the end of its last step', async () => {
    service.runtimes.healthy = false;
    const { body } = await deploy(await createRecipe());
    const path = `/v1/tasks/${body.task_id}`;
    await untilHealthIsAwaited(path);
    await withConnection(service.database.url, async (termination) => {
      // PostgreSQL aborts the session that first checks for a deadlock.
      await termination.query(`set deadlock_timeout = '10ms'`);
      await termination.query('begin');
      await termination.query('select from instances where id = $1 for update', [body.instance_id]);
      service.runtimes.healthy = true;
      await lockWaits(service.database, 1);
      await termination.query(`update tasks set status = 'canceling' where id = $1`, [body.task_id]);
      await termination.query('commit');
    });
    // All its steps were done, but it was canceled.
    await until(body.instance_id, 'terminated');
  });
});

describe('drift', () => {
  it('lists the differences from the current recipe, for members of any name', async () => {
    const recipe_id = await createRecipe({ voice_config: { pace: 1, tone: 'calm' }, skills: ['a'] });
    const { body } = await deploy(recipe_id, { instance_overrides: { voice_config: { pace: 2 } } });
    const drift = async () => {
      const path = `/v1/instances/${body.instance_id}/drift`;
      return (await tenant.api.get<{ changes: { pointer: string }[] }>(path)).body;
    };
    expect(await drift()).toMatchObject({ deployed_revision: 1, current_revision: 1, drifted: false });
    // As earlier versions stored unset fields.
    await service.database.query(
      `update instances set resolved_config = resolved_config || '{"trigger_templates": null}' where id = $1`,
      [body.instance_id],
    );
    expect(await drift()).toMatchObject({ drifted: false });
    const voice_config = { pace: 3, constructor: 'c', toString: 't' };
    await tenant.api.put(`/v1/recipes/${recipe_id}`, { voice_config, skills: ['b'] });
    const { changes, ...rest } = await drift();
    expect(rest).toMatchObject({ deployed_revision: 1, current_revision: 2, drifted: true });
    expect(changes.toSorted((a, b) => a.pointer.localeCompare(b.pointer))).toEqual([
      { pointer: '/skills', deployed: ['a'], current: ['b'] },
      { pointer: '/voice_config/constructor', deployed: null, current: 'c' },
      { pointer: '/voice_config/tone', deployed: 'calm', current: null },
      { pointer: '/voice_config/toString', deployed: null, current: 't' },
    ]);
  });

  it('of a shared instance uses the overrides of its first deployment', async () => {
    const recipe_id = await createRecipe({ hosting_mode: 'shared' });
    const { body } = await deploy(recipe_id);
    const joined = await deploy(recipe_id, { instance_overrides: { voice_config: { pace: 2 } } });
    expect(joined.body.instance_id).toBe(body.instance_id);
    const drift = await tenant.api.get(`/v1/instances/${body.instance_id}/drift`);
    expect(drift.body).toMatchObject({ drifted: false, changes: [] });
  });

  it('reports a deleted recipe', async () => {
    const recipe_id = await createRecipe();
    const { body } = await deploy(recipe_id);
    await tenant.api.delete(`/v1/recipes/${recipe_id}`);
    const drift = await tenant.api.get(`/v1/instances/${body.instance_id}/drift`);
    expect(drift.body).toMatchObject({ current_revision: null, drifted: true, changes: [] });
  });
});

describe('events', () => {
  it('are followed live', async () => {
    const { body } = await deploy(await createRecipe());
    const response = await fetch(`${service.base_url}/v1/instances/${body.instance_id}/events`, {
      headers: { ...tenant.api.headers, accept: 'text/event-stream' },
    });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    let text = '';
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      text += Buffer.from(chunk).toString();
      if (text.includes('"to":"running"')) break;
    }
    expect(text).toMatch(/id: \d+\nevent: allocate\ndata: \{.*\}\n\n/);
  });

  it('open at once for a client that has all events, and send the next ones', async () => {
    const { body } = await deploy(await createRecipe());
    await until(body.instance_id, 'running');
    const last = (await listEvents(body.instance_id)).at(-1)?.id;
    // UUIDs are not case-sensitive.
    const path = `/v1/instances/${body.instance_id.toUpperCase()}/events`;
    const response = await fetch(service.base_url + path, {
      headers: { ...tenant.api.headers, accept: 'text/event-stream', 'last-event-id': String(last) },
    });
    const chunks = (response.body as unknown as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
    const first = chunks.next();
    const isNothing = service.anonymous.get('/healthz').then(() => 'nothing');
    expect(await Promise.race([first.then(() => 'something'), isNothing])).toBe('nothing');
    await tenant.api.post(`/v1/instances/${body.instance_id}/stop`);
    let text = '';
    for (let chunk = await first; ; chunk = await chunks.next()) {
      text += Buffer.from(chunk.value ?? []).toString();
      if (chunk.done || text.includes('"to":"stopped"')) break;
    }
    await chunks.return?.();
    expect(text.match(/"to":"running"/g)).toHaveLength(1);
  });

  it('end when the client’s key is revoked, and send nothing more', async () => {
    const { body } = await deploy(await createRecipe());
    await until(body.instance_id, 'running');
    const path = `/v1/instances/${body.instance_id}/events`;
    const last = (await listEvents(body.instance_id)).at(-1)?.id;
    const { body: key } = await tenant.api.post<{ id: string; key: string }>('/v1/api-keys', {
      name: 'Follower',
      scopes: ['instances:read'],
    });
    const follower = { 'x-api-key': key.key };
    const response = await fetch(service.base_url + path, {
      headers: { ...follower, accept: 'text/event-stream', 'last-event-id': String(last) },
    });
    await tenant.api.delete(`/v1/api-keys/${key.id}`);
    const status = async () => (await fetch(service.base_url + path, { headers: follower })).status;
    await vi.waitFor(async () => expect(await status()).toBe(401), { timeout: 60_000, interval: 20 });
    await tenant.api.post(`/v1/instances/${body.instance_id}/stop`);
    expect(await response.text()).not.toContain('data:');
  });

  it.each([
    ['*/*', 'application/json'],
    ['application/json, text/event-stream', 'application/json'],
    ['text/event-stream;q=0.5, application/json', 'application/json'],
    ['*/*, text/event-stream; q=0', 'application/json'],
    ['text/event-stream, application/json', 'text/event-stream'],
    ['application/json;q=0.9,Text/Event-Stream', 'text/event-stream'],
    ['text/event-stream, */*', 'text/event-stream'],
  ])('are a page or a stream as Accept prefers: %s', async (accept, type) => {
    const { body } = await deploy(await createRecipe());
    const path = `/v1/instances/${body.instance_id}/events`;
    const response = await fetch(service.base_url + path, { headers: { ...tenant.api.headers, accept } });
    expect(response.headers.get('content-type')).toContain(type);
    await response.body?.cancel();
  });

  it('leave the connection free after HEAD', async () => {
    const { body } = await deploy(await createRecipe());
    const socket = connect(Number(new URL(service.base_url).port), '127.0.0.1');
    const head = [
      `HEAD /v1/instances/${body.instance_id}/events HTTP/1.1`,
      'Host: localhost',
      'Accept: text/event-stream',
      `X-Api-Key: ${tenant.key}`,
    ];
    const next = ['GET /healthz HTTP/1.1', 'Host: localhost', 'Connection: close'];
    socket.write(`${head.join('\r\n')}\r\n\r\n${next.join('\r\n')}\r\n\r\n`);
    const answers = await readAll(socket);
    expect(answers).toContain('content-type: text/event-stream');
    expect(answers).toContain('{"status":"ok"}');
  });

  it('are in the order of their times', async () => {
    const { body } = await deploy(await createRecipe());
    await until(body.instance_id, 'running');
    const times = (await listEvents(body.instance_id)).map(({ at }) => at);
    expect(times).toEqual(times.toSorted());
  });
});
