import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { insertStepEvent, listInstanceEventsAfter } from '../../src/instances/instance-events.db.ts';
import { NotYet } from '../../src/provisioning/failures.ts';
import { runTask } from '../../src/provisioning/runner.ts';
import { stepsOf } from '../../src/provisioning/steps.ts';
import { ownPlace, RuntimeHost } from '../../src/runtimes/runtime-host.ts';
import { openTransaction, withConnection } from '../support/connection.ts';
import { createCustomer } from '../support/customers.ts';
import { lockWaits } from '../support/database.ts';
import { gate, holdNext } from '../support/hold.ts';
import { interruptTransactions } from '../support/interrupt.ts';
import { sharedService, type TestService, type TestTenant } from '../support/service.ts';

const TIER = randomUUID();

let service: TestService;
let tenant: TestTenant;
let recipe_id: string;
let customer_id: string;
let host: RuntimeHost;

/** Without jobs: the tests run each task themselves. */
beforeAll(async () => {
  service = await sharedService('idle');
  tenant = await service.createTenant();
  await service.operations.put(`/internal/v1/tiers/${TIER}`, { name: 'Small' });
  await service.operations.put('/internal/v1/regions/eu-1', { name: 'Europe' });
  customer_id = await createCustomer(tenant);
  recipe_id = await createRecipe();
  host = new RuntimeHost(service.service.services, ownPlace(service.service.services));
  await host.start();
});
afterAll(async () => {
  await host.stop();
});

interface Ids {
  instance_id: string;
  task_id: string;
}

const createRecipe = async (fields: object = {}) =>
  (await tenant.api.post<{ id: string }>('/v1/recipes', { name: 'R', ...fields })).body.id;

async function deploy(of = recipe_id, fields: object = {}): Promise<Ids> {
  const place = { tier_id: TIER, region_id: 'eu-1', hostname: 'h' };
  const request = { recipe_id: of, customer_id, ...place, ...fields };
  return (await tenant.api.post<Ids>('/v1/recipes/deploy', request)).body;
}

async function request(instance_id: string, change: 'start' | 'stop' | 'retry'): Promise<string> {
  return (await tenant.api.post<{ task_id: string }>(`/v1/instances/${instance_id}/${change}`)).body.task_id;
}

async function terminate(instance_id: string): Promise<string> {
  const path = `/v1/instances/${instance_id}`;
  return (await tenant.api.request<{ task_id: string }>('DELETE', path)).body.task_id;
}

const runOnce = (task_id: string, lastAttempt = false) =>
  runTask(service.service.services, { tenant_id: tenant.tenant_id, task_id }, { lastAttempt });

/** Like its job, runs the task again while it waits. */
const run = async (task_id: string, lastAttempt = false): Promise<void> => {
  const again = { timeout: 60_000, interval: 10 };
  const failure = await vi.waitFor(
    () =>
      runOnce(task_id, lastAttempt).catch((error: unknown) => {
        if (error instanceof NotYet) throw error;
        return error;
      }),
    again,
  );
  if (failure) throw failure;
};

async function runningInstance(): Promise<string> {
  const { instance_id, task_id } = await deploy();
  await run(task_id);
  expect(await statusOf(instance_id)).toBe('running');
  return instance_id;
}

async function stoppedInstance(): Promise<string> {
  const id = await runningInstance();
  await run(await request(id, 'stop'));
  expect(await statusOf(id)).toBe('stopped');
  return id;
}

const statusOf = async (instance_id: string) =>
  (await tenant.api.get<{ status: string }>(`/v1/instances/${instance_id}`)).body.status;

const taskStatus = async (task_id: string) =>
  (await tenant.api.get<{ status: string }>(`/v1/tasks/${task_id}`)).body.status;

async function isWanted(instance_id: string): Promise<boolean> {
  const read = 'select wanted from runtimes where instance_id = $1';
  const [row] = await service.database.query<{ wanted: boolean }>(read, [instance_id]);
  return row?.wanted ?? expect.unreachable();
}

/** Another runner ends the task after the run has begun, but before it changes the instance. */
async function runTooLate(
  task_id: string,
  instance_id: string,
  end: 'succeeded' | 'failed' | 'canceled',
): Promise<void> {
  await withConnection(service.database.url, async (other) => {
    await other.query('begin');
    await other.query('select from instances where id = $1 for no key update', [instance_id]);
    const late = run(task_id);
    await lockWaits(service.database, 1);
    await other.query(
      `update tasks set status = $2, runner_id = gen_random_uuid(), finished_at = now() where id = $1`,
      [task_id, end],
    );
    if (end === 'failed')
      await other.query(`update instances set status = 'failed' where id = $1`, [instance_id]);
    await other.query('commit');
    await late;
  });
}

it('is finished by the runner that took it over, while the earlier runner stops', async () => {
  const { instance_id, task_id } = await deploy();
  const secrets = holdNext(service.runtimes, 'putSecrets');
  const first = run(task_id);
  await secrets.reached;
  const health = holdNext(service.runtimes, 'isHealthy');
  const second = run(task_id);
  await health.reached;
  secrets.goOn();
  await first;
  health.goOn();
  await second;
  expect(await taskStatus(task_id)).toBe('succeeded');
  expect(await statusOf(instance_id)).toBe('running');
  const { body } = await tenant.api.get<{ items: { step: string | null }[] }>(
    `/v1/instances/${instance_id}/events`,
  );
  const steps = body.items.flatMap(({ step }) => step ?? []);
  expect(steps.toReversed()).toEqual(
    stepsOf.provision.filter((step) => !step.applies).map(({ name }) => name),
  );
});

it('allocates nothing after another runner has undone the task', async () => {
  const { instance_id, task_id } = await deploy();
  const { pass, ...held } = gate();
  const { services } = service.service;
  const keyring = {
    open: services.keyring.open.bind(services.keyring),
    seal: async (...secret: Parameters<typeof services.keyring.seal>) => {
      await pass();
      return services.keyring.seal(...secret);
    },
  };
  const late = runTask(
    { ...services, keyring },
    { tenant_id: tenant.tenant_id, task_id },
    { lastAttempt: false },
  );
  await held.reached;
  await cancel(task_id);
  await run(task_id);
  held.goOn();
  await late;
  const { body } = await tenant.api.get<{ tunnel_address: string | null }>(`/v1/instances/${instance_id}`);
  expect(body).toMatchObject({ status: 'terminated', tunnel_address: null });
});

it('writes concurrent events so that followers, who read by id, miss none', async () => {
  const { instance_id, task_id } = await deploy();
  const runner_id = randomUUID();
  await service.database.query('update tasks set runner_id = $2 where id = $1', [task_id, runner_id]);
  const event = (name: string) => insertStepEvent({ instance_id, task_id, runner_id }, { name, message: '' });
  const q = service.service.services.db.tenant(tenant.tenant_id);
  let last = 0;
  const follow = async () => {
    const events = await q.run(listInstanceEventsAfter(instance_id, last, 100));
    last = events.at(-1)?.id ?? last;
    return events.flatMap(({ step }) => step ?? []);
  };
  const commit = gate();
  const slow = q.transaction(async (tx) => {
    await tx.run(event('slow'));
    await commit.pass();
  });
  await commit.reached;
  const fast = q.run(event('fast'));
  await Promise.race([fast, lockWaits(service.database, 1)]);
  const before = await follow();
  commit.goOn();
  await Promise.all([slow, fast]);
  expect([...before, ...(await follow())]).toEqual(['slow', 'fast']);
});

it('does not begin after another runner has given up', async () => {
  const { instance_id, task_id } = await deploy();
  await runTooLate(task_id, instance_id, 'failed');
  expect(await statusOf(instance_id)).toBe('failed');
});

it('starts no runtime after another runner has given up', async () => {
  const id = await stoppedInstance();
  await runTooLate(await request(id, 'start'), id, 'canceled');
  expect(await isWanted(id)).toBe(false);
  expect(service.engine.running.has(id)).toBe(false);
});

it('continues with a runtime that another host has taken over and runs', async () => {
  const { instance_id, task_id } = await deploy();
  await service.database.query(
    `with host as (insert into runtime_hosts values (gen_random_uuid(), now() + interval '1 hour') returning id)
     update runtimes set host_id = host.id, wanted = true, phase = 'up', address = 'http://runtime.invalid/there'
     from host where instance_id = $1`,
    [instance_id],
  );
  await run(task_id);
  expect(await statusOf(instance_id)).toBe('running');
  expect(service.engine.started).not.toContain(instance_id);
});

it('ends no runtime after another runner has ended it, because it may have been started again', async () => {
  const id = await runningInstance();
  await runTooLate(await request(id, 'stop'), id, 'succeeded');
  expect(await isWanted(id)).toBe(true);
  expect(service.engine.running.has(id)).toBe(true);
});

it('is retried until it succeeds when it stops a runtime, because that cannot be undone', async () => {
  const id = await runningInstance();
  const task_id = await request(id, 'stop');
  vi.spyOn(service.engine, 'remove').mockRejectedValueOnce(new Error('The engine is away'));
  await expect(runOnce(task_id, true)).rejects.toThrow(NotYet);
  await run(task_id, true);
  expect(await taskStatus(task_id)).toBe('succeeded');
  expect(await statusOf(id)).toBe('stopped');
});

it('undoes nothing after another runner has undone the task', async () => {
  const { instance_id, task_id } = await deploy();
  const { pass, ...held } = gate();
  vi.spyOn(service.runtimes, 'putSecrets').mockImplementationOnce(async () => {
    await pass();
    throw new Error('The runtime is away');
  });
  const late = run(task_id, true);
  await held.reached;
  vi.spyOn(service.runtimes, 'putSecrets').mockRejectedValueOnce(new Error('The runtime is away'));
  await run(task_id, true);
  expect(await statusOf(instance_id)).toBe('failed');
  await run(await request(instance_id, 'retry'));
  held.goOn();
  await late;
  const { body } = await tenant.api.get<{ tunnel_address: string | null }>(`/v1/instances/${instance_id}`);
  expect(body).toMatchObject({ status: 'running', tunnel_address: expect.any(String) });
});

it('grants a connection that is added concurrently', async () => {
  const recipe = await createRecipe({
    connection_requirements: [{ provider: 'google_drive', optional: true }],
  });
  const earlier = await deploy(recipe);
  await run(earlier.task_id);
  // Adding the connection also grants it to the earlier instance, and waits for that instance's row.
  const lock = 'select from instances where id = $1 for update';
  const holding = await openTransaction(service.database.url, [lock, [earlier.instance_id]]);
  const path = `/v1/customers/${customer_id}/connections`;
  const adding = tenant.api.post(path, { provider: 'google_drive', credentials: { refresh_token: 't' } });
  await lockWaits(service.database, 1);
  const { instance_id, task_id } = await deploy(recipe);
  const running = run(task_id);
  await Promise.race([running, lockWaits(service.database, 2)]);
  await holding.end('commit');
  await Promise.all([adding, running]);
  const granted = 'select from instance_grants where instance_id = $1';
  expect(await service.database.query(granted, [instance_id])).toHaveLength(1);
});

/** The connection is optional; `customer_id` has it. */
async function recipeWithConnection(): Promise<string> {
  await addConnection(customer_id);
  return createRecipe({ connection_requirements: [{ provider: 'crm', optional: true }] });
}

const addConnection = (of: string) =>
  tenant.api.post(`/v1/customers/${of}/connections`, { provider: 'crm', credentials: {} });

const cancel = async (task_id: string) => (await tenant.api.post(`/v1/tasks/${task_id}/cancel`)).status;

const grantsOf = async (instance_id: string) =>
  (
    await service.database.query<{ customer_id: string }>(
      `select distinct customer_id from instance_grants g join connections c on c.id = g.connection_id
       where g.instance_id = $1`,
      [instance_id],
    )
  ).map((grant) => grant.customer_id);

/** The number of taken places, and the customers that have one. */
async function placesOn(instance_id: string): Promise<{ taken: number; held_by: string[] }> {
  const { body } = await tenant.api.get<{ deployment_count: number }>(`/v1/instances/${instance_id}`);
  const held = await service.database.query<{ customer_id: string }>(
    'select customer_id from deployments where instance_id = $1 and released_at is null',
    [instance_id],
  );
  return { taken: body.deployment_count, held_by: held.map((row) => row.customer_id) };
}

it('sets the PIN policy of the recipe, and attaches no unknown onboarding flow', async () => {
  const onboarding_flow_id = randomUUID();
  const skills = ['faq', { slug: 'timesheet', pin_required: true }, { slug: 'shifts', pin_required: false }];
  const { instance_id, task_id } = await deploy(await createRecipe({ onboarding_flow_id, skills }));
  await run(task_id);
  const policy = await tenant.api.get(`/v1/instances/${instance_id}/pin-policy`);
  expect(policy.body).toMatchObject({ pin_required_skills: ['timesheet'], enforced: false });
  const read = 'select onboarding_flow_id from deployments where instance_id = $1';
  expect(await service.database.query(read, [instance_id])).toEqual([{ onboarding_flow_id: null }]);
});

it('starts with an enforced PIN policy where the recipe says so', async () => {
  const compliance_config = { pin_enforced: true };
  const { instance_id, task_id } = await deploy(await createRecipe({ compliance_config }));
  await run(task_id);
  expect((await tenant.api.get(`/v1/instances/${instance_id}/pin-policy`)).body).toMatchObject({
    enforced: true,
  });
});

it('keeps a PIN policy that was set before the step', async () => {
  const { instance_id, task_id } = await deploy();
  const path = `/v1/instances/${instance_id}/pin-policy`;
  await tenant.api.patch(path, { pin_required_skills: ['timesheet'] });
  await run(task_id);
  expect((await tenant.api.get(path)).body).toMatchObject({ pin_required_skills: ['timesheet'] });
});

it('undoes its steps in reverse order when it fails permanently', async () => {
  const { instance_id, task_id } = await deploy(await recipeWithConnection());
  const keys = 'select from proxy_keys where instance_id = $1';
  const isLeft = async () => ({
    grants: (await grantsOf(instance_id)).length > 0,
    identity: (await service.database.query(keys, [instance_id])).length > 0,
  });
  const left: Awaited<ReturnType<typeof isLeft>>[] = [];
  vi.spyOn(service.runtimes, 'putSecrets').mockImplementationOnce(async () => {
    left.push(await isLeft());
    throw new Error('The runtime is away');
  });
  vi.spyOn(service.engine, 'remove').mockImplementationOnce(async () => {
    left.push(await isLeft());
    service.engine.lose(instance_id);
  });
  await run(task_id, true);
  expect(await taskStatus(task_id)).toBe('failed');
  expect([...left, await isLeft()]).toEqual([
    { grants: true, identity: true },
    { grants: false, identity: true },
    { grants: false, identity: false },
  ]);
  const read = `select i.tunnel_address, i.sealed_message_secret, r.address, r.host_id
                from instances i join runtimes r on r.instance_id = i.id where i.id = $1`;
  const [row] = await service.database.query(read, [instance_id]);
  expect(new Set(Object.values(row ?? {}))).toEqual(new Set([null]));
});

describe('a place on a shared instance', () => {
  const shared = { hosting_mode: 'shared' };
  let node: Ids;
  let other: string;
  let joining: Ids;

  beforeEach(async () => {
    const recipe = await recipeWithConnection();
    node = await deploy(recipe, shared);
    other = await createCustomer(tenant);
    await addConnection(other);
    joining = await deploy(recipe, { ...shared, customer_id: other });
    expect(joining.instance_id).toBe(node.instance_id);
  });

  const all = () => [customer_id, other].toSorted();

  it('is released once when the task is canceled, even if undoing is retried', async () => {
    await run(node.task_id);
    let mend: (() => void) | undefined;
    vi.spyOn(service.runtimes, 'putSecrets').mockImplementationOnce(async () => {
      expect((await grantsOf(node.instance_id)).toSorted()).toEqual(all());
      expect(await cancel(joining.task_id)).toBe(202);
      mend = interruptTransactions(service, 'before the commit');
    });
    await expect(run(joining.task_id)).rejects.toThrow('killed');
    mend?.();
    await run(joining.task_id);
    expect(await taskStatus(joining.task_id)).toBe('canceled');
    expect(await placesOn(node.instance_id)).toEqual({ taken: 1, held_by: [customer_id] });
    expect(await grantsOf(node.instance_id)).toEqual([customer_id]);
  });

  it('is released when the task is canceled before it has begun', async () => {
    expect([await cancel(joining.task_id), await cancel(joining.task_id)]).toEqual([202, 202]);
    await run(joining.task_id);
    expect(await placesOn(node.instance_id)).toEqual({ taken: 1, held_by: [customer_id] });
  });

  it('is not taken on an instance that will stop or whose deploy is being undone', async () => {
    const recipe = await createRecipe();
    const canceled = await deploy(recipe, shared);
    await cancel(canceled.task_id);
    const next = await deploy(recipe, shared);
    expect(next.instance_id).not.toBe(canceled.instance_id);
    await run(next.task_id);
    const stop = await request(next.instance_id, 'stop');
    const last = await deploy(recipe, shared);
    expect([canceled.instance_id, next.instance_id]).not.toContain(last.instance_id);
    await run(stop);
  });

  it('is released when the instance fails to start', async () => {
    service.engine.failure = 'spec_rejected';
    await run(node.task_id, true);
    service.engine.failure = undefined;
    await run(joining.task_id);
    expect(await taskStatus(joining.task_id)).toBe('failed');
    expect(await placesOn(node.instance_id)).toEqual({ taken: 1, held_by: [customer_id] });
  });

  it('is released without a deadlock while the instance is being terminated', async () => {
    await cancel(joining.task_id);
    await withConnection(service.database.url, async (ending) => {
      // PostgreSQL aborts the session that first checks for a deadlock: this one.
      await ending.query(`set deadlock_timeout = '10ms'`);
      await ending.query('begin');
      await ending.query('select from instances where id = $1 for update', [node.instance_id]);
      const canceled = run(joining.task_id);
      await lockWaits(service.database, 1);
      await ending.query('update deployments set released_at = now() where instance_id = $1', [
        node.instance_id,
      ]);
      await ending.query('update instances set placed = 0 where id = $1', [node.instance_id]);
      await ending.query('commit');
      await canceled;
    });
    expect(await placesOn(node.instance_id)).toEqual({ taken: 0, held_by: [] });
  });

  it('does not count as the deployment that created the instance, even if it is older', async () => {
    const recipe = await createRecipe();
    const made = await deploy(recipe, shared);
    const overriding = { ...shared, instance_overrides: { voice_config: { pace: 2 } } };
    expect((await deploy(recipe, overriding)).instance_id).toBe(made.instance_id);
    // As if its transaction had begun before, and committed after, the one that created the instance.
    await service.database.query(
      `update deployments set created_at = created_at - interval '1 hour'
       where instance_id = $1 and instance_overrides is not null`,
      [made.instance_id],
    );
    const drift = await tenant.api.get(`/v1/instances/${made.instance_id}/drift`);
    expect(drift.body).toMatchObject({ drifted: false, changes: [] });
  });

  it('is released with all others when the instance is terminated', async () => {
    await run(node.task_id);
    await run(joining.task_id);
    expect((await grantsOf(node.instance_id)).toSorted()).toEqual(all());
    await run(await terminate(node.instance_id));
    expect(await statusOf(node.instance_id)).toBe('terminated');
    expect(await placesOn(node.instance_id)).toEqual({ taken: 0, held_by: [] });
    expect(await grantsOf(node.instance_id)).toEqual([]);
  });
});

it('answers a repeated deploy even if its conditions no longer hold', async () => {
  const recipe = await createRecipe({ connection_requirements: ['mail'] });
  const path = `/v1/customers/${customer_id}/connections`;
  await tenant.api.post(path, { provider: 'mail', credentials: {} });
  const again = { idempotency_key: randomUUID() };
  const { url } = service.database;
  const holding = await openTransaction(url, ['lock table tasks in share row exclusive mode', []]);
  const first = deploy(recipe, again);
  await lockWaits(service.database, 1);
  const revocation = await openTransaction(
    url,
    ['lock table connections', []],
    [`update connections set revoked_at = now() where provider = 'mail'`, []],
  );
  const second = deploy(recipe, again);
  await lockWaits(service.database, 2);
  await holding.end('commit');
  const made = await first;
  await revocation.end('commit');
  expect(await second).toEqual(made);
});

it('releases its place when the deploy is canceled', async () => {
  const { instance_id, task_id } = await deploy();
  await cancel(task_id);
  await run(task_id);
  expect(await statusOf(instance_id)).toBe('terminated');
  expect(await placesOn(instance_id)).toEqual({ taken: 0, held_by: [] });
});

it('leaves no proxy key when the deploy is canceled before it has begun', async () => {
  const { instance_id, task_id } = await deploy();
  const key = await tenant.api.post<{ proxy_key: string }>(`/v1/instances/${instance_id}/proxy-key`);
  const runtime = service.anonymous.with({ authorization: `Bearer ${key.body.proxy_key}` });
  const path = `/internal/v1/instances/${instance_id}/resolve-domain?hostname=example.com`;
  expect((await runtime.get(path)).status).toBe(404);
  await cancel(task_id);
  await run(task_id);
  expect(await statusOf(instance_id)).toBe('terminated');
  expect((await runtime.get(path)).status).toBe(401);
});

it('is undone before the instance counts as terminated', async () => {
  const { instance_id, task_id } = await deploy();
  const start = holdNext(service.engine, 'ensure');
  const starting = run(task_id);
  await start.reached;
  const ending = await terminate(instance_id);
  await expect(run(ending)).rejects.toThrow('being undone');
  expect(await statusOf(instance_id)).toBe('terminating');
  start.goOn();
  await starting;
  expect(await taskStatus(task_id)).toBe('canceled');
  await run(ending);
  expect(await statusOf(instance_id)).toBe('terminated');
  expect(service.engine.running.has(instance_id)).toBe(false);
});

it('blocks other requests until it has ended', async () => {
  const id = await runningInstance();
  const ask = () => tenant.api.post<{ task_id: string }>(`/v1/instances/${id}/stop`);
  const answers = (await Promise.all([ask(), ask()])).toSorted((a, b) => a.status - b.status);
  expect(answers.map(({ status }) => status)).toEqual([202, 409]);
  const stop = holdNext(service.engine, 'remove');
  const stopping = run(answers[0]?.body.task_id ?? '');
  await stop.reached;
  expect((await ask()).text).toBe('{"detail":"Another task of the instance is at work"}');
  stop.goOn();
  await stopping;
  expect(await statusOf(id)).toBe('stopped');
});

it('cannot be canceled when it ends a runtime', async () => {
  const id = await runningInstance();
  const stopping = await request(id, 'stop');
  expect(await cancel(stopping)).toBe(409);
  await run(stopping);
  expect(await cancel(await terminate(id))).toBe(409);
});

it('counts a finished deploy by the kind that its task shows', async () => {
  const { task_id } = await deploy();
  await run(task_id);
  expect((await tenant.api.get(`/v1/tasks/${task_id}`)).body).toMatchObject({ kind: 'deploy' });
  const { text } = await service.anonymous.get('/metrics');
  expect(text).toMatch(/^acp_tasks_total\{kind="deploy",outcome="failed"\} \d/m);
  expect(text).toMatch(/^acp_tasks_total\{kind="deploy",outcome="succeeded"\} [1-9]/m);
  expect(text).not.toContain('kind="provision"');
});
