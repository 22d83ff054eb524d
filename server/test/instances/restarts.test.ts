import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { NotYet } from '../../src/provisioning/failures.ts';
import { runTask } from '../../src/provisioning/runner.ts';
import { stepsOf } from '../../src/provisioning/steps.ts';
import { ownPlace, RuntimeHost } from '../../src/runtimes/runtime-host.ts';
import { createCustomer } from '../support/customers.ts';
import { holdNext } from '../support/hold.ts';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';

const TIER = randomUUID();

let service: TestService;
let tenant: TestTenant;
let host: RuntimeHost;
let recipe_id: string;

/** Without jobs: the tests run each task themselves. */
beforeAll(async () => {
  service = await startTestService({ runsJobs: false });
  tenant = await service.createTenant();
  await setTier({ cpu_millis: 500, memory_mib: 256 });
  await service.operations.put('/internal/v1/regions/eu-1', { name: 'Europe' });
  recipe_id = (await tenant.api.post<{ id: string }>('/v1/recipes', { name: 'R' })).body.id;
  host = new RuntimeHost(service.service.services, ownPlace(service.service.services));
  await host.start();
});
afterEach(() => {
  vi.restoreAllMocks();
  service.engine.failure = undefined;
});
afterAll(async () => {
  await host.stop();
  await service.stop();
});

const setTier = (limits: object) =>
  service.operations.put(`/internal/v1/tiers/${TIER}`, { name: 'T', ...limits });

async function deploy(fields: object = {}) {
  const customer_id = await createCustomer(tenant);
  const request = { recipe_id, customer_id, tier_id: TIER, region_id: 'eu-1', hostname: 'h', ...fields };
  return (await tenant.api.post<{ instance_id: string; task_id: string }>('/v1/recipes/deploy', request))
    .body;
}

async function runningInstance(fields: object = {}): Promise<string> {
  const { instance_id, task_id } = await deploy(fields);
  await run(task_id);
  return instance_id;
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
    { timeout: 60_000 },
  );
  if (failure) throw failure;
}

const restart = (instance_id: string) =>
  tenant.api.post<{ task_id: string; kind: string }>(`/v1/instances/${instance_id}/restart`);

async function accepted(instance_id: string): Promise<string> {
  const { status, text, body } = await restart(instance_id);
  expect(status, text).toBe(202);
  return body.task_id;
}

/** A restart whose new runtime does not start before `goOn`. */
async function held(instance_id: string) {
  const { reached, goOn } = holdNext(service.engine, 'ensure');
  onTestFinished(() => void goOn());
  const task_id = await accepted(instance_id);
  await expect(runOnce(task_id)).rejects.toThrow(NotYet);
  await reached;
  return { task_id, goOn };
}

interface Instance {
  status: string;
  runtime: { state: string; reason: string | null; generation: number };
}

const instanceOf = async (id: string) => (await tenant.api.get<Instance>(`/v1/instances/${id}`)).body;
const taskOf = async (id: string) =>
  (await tenant.api.get<{ status: string; error: string | null }>(`/v1/tasks/${id}`)).body;

async function stepsIn(instance_id: string): Promise<(readonly [string, string])[]> {
  const { body } = await tenant.api.get<{ items: { step: string | null; message: string }[] }>(
    `/v1/instances/${instance_id}/events?per_page=100`,
  );
  return body.items.toReversed().flatMap(({ step, message }) => (step ? [[step, message] as const] : []));
}

const isUp = (instance_id: string, generation: number) =>
  vi.waitFor(
    async () =>
      expect(await instanceOf(instance_id)).toMatchObject({
        status: 'running',
        runtime: { state: 'up', reason: null, generation },
      }),
    { timeout: 60_000 },
  );

describe('a restart', () => {
  it('gives a running instance a new runtime with the tier of now', async () => {
    const id = await runningInstance();
    await setTier({ cpu_millis: 1500, memory_mib: 512 });
    const answer = await restart(id);
    expect(answer).toMatchObject({ status: 202, body: { kind: 'restart' } });
    await run(answer.body.task_id);
    expect(await taskOf(answer.body.task_id)).toMatchObject({ status: 'succeeded' });
    await isUp(id, 2);
    expect(service.engine.running.get(id)).toMatchObject({
      cpu_millis: 1500,
      memory_mib: 512,
      generation: 2,
    });
    const steps = (await stepsIn(id)).slice(-4).map(([step]) => step);
    expect(steps).toEqual([...stepsOf.restart.map(({ name }) => name), 'restart']);
  });

  it('is refused unless the instance runs, and unknown ids are 404', async () => {
    const { instance_id, task_id } = await deploy();
    expect((await restart(instance_id)).status).toBe(409);
    await run(task_id);
    const stop = await tenant.api.post<{ task_id: string }>(`/v1/instances/${instance_id}/stop`);
    expect((await restart(instance_id)).status).toBe(409);
    await run(stop.body.task_id);
    expect(await restart(instance_id)).toMatchObject({
      status: 409,
      body: { detail: 'An instance that is stopped cannot restart' },
    });
    expect((await restart(randomUUID())).status).toBe(404);
  });

  it('happens once where two ask, and keeps other requests waiting', async () => {
    const id = await runningInstance();
    const answers = await Promise.all([restart(id), restart(id)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([202, 409]);
    expect((await tenant.api.post(`/v1/instances/${id}/stop`)).status).toBe(409);
    expect((await tenant.api.post(`/v1/instances/${id}/upgrade`, {})).status).toBe(409);
    await run(answers.find(({ status }) => status === 202)?.body.task_id ?? '');
    await isUp(id, 2);
  });

  it('that does not come up fails, and its runtime is tried further', async () => {
    const id = await runningInstance();
    service.engine.failure = 'spec_rejected';
    const task_id = await accepted(id);
    await run(task_id);
    expect(await taskOf(task_id)).toMatchObject({ status: 'failed', error: expect.any(String) });
    expect((await stepsIn(id)).at(-1)).toEqual([
      'restart',
      expect.stringMatching(/^The restart failed: .+ tried further/),
    ]);
    expect((await instanceOf(id)).status).toBe('running');
    service.engine.failure = undefined;
    await isUp(id, 2);
  });

  it('that is canceled lets the new runtime come up', async () => {
    const id = await runningInstance();
    const { task_id, goOn } = await held(id);
    expect((await tenant.api.post(`/v1/tasks/${task_id}/cancel`)).status).toBe(202);
    await run(task_id);
    expect(await taskOf(task_id)).toMatchObject({ status: 'canceled' });
    goOn();
    await isUp(id, 2);
  });

  it('gives way to a termination', async () => {
    const id = await runningInstance();
    const { task_id, goOn } = await held(id);
    const { body } = await tenant.api.request<{ task_id: string }>('DELETE', `/v1/instances/${id}`);
    await run(task_id);
    goOn();
    await run(body.task_id);
    expect((await instanceOf(id)).status).toBe('terminated');
    expect(service.engine.running.has(id)).toBe(false);
  });

  it('of a shared instance keeps a customer who joins waiting', async () => {
    const shared = { hosting_mode: 'shared' };
    const id = await runningInstance(shared);
    const { task_id, goOn } = await held(id);
    const join = await deploy(shared);
    expect(join.instance_id).toBe(id);
    await expect(runOnce(join.task_id, true)).rejects.toThrow('being restarted');
    goOn();
    await run(task_id);
    await run(join.task_id);
    expect(await taskOf(join.task_id)).toMatchObject({ status: 'succeeded' });
  });
});

/** Fails after the work of a step, before it is recorded as done. */
function killAfter(name: string): void {
  const step = stepsOf.restart.find((one) => one.name === name) ?? expect.unreachable();
  const original = step.run.bind(step);
  vi.spyOn(step, 'run').mockImplementation(async (...args) => {
    await original(...args);
    throw new Error('killed');
  });
}

it.each(stepsOf.restart.map(({ name }) => name))(
  'a restart whose runner is lost after %s renews once',
  async (name) => {
    const id = await runningInstance();
    const task_id = await accepted(id);
    killAfter(name);
    await expect(run(task_id)).rejects.toThrow('killed');
    vi.restoreAllMocks();
    await run(task_id);
    expect(await taskOf(task_id)).toMatchObject({ status: 'succeeded' });
    await isUp(id, 2);
  },
);
