import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { renewRuntime } from '../../src/runtimes/runtime-hosts.db.ts';
import { createCustomer } from '../support/customers.ts';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';

const PATIENT = { timeout: 60_000, interval: 20 };
const TIER = randomUUID();

let service: TestService;
let tenant: TestTenant;
let logged = '';

beforeAll(async () => {
  const logger = pino({ level: 'warn' }, { write: (line) => (logged += line) });
  service = await startTestService({ logger, pace: { hostMs: 300 } });
  tenant = await service.createTenant();
  await service.operations.put(`/internal/v1/tiers/${TIER}`, { name: 'Small' });
  await service.operations.put('/internal/v1/regions/eu-1', { name: 'Europe' });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  service.engine.failure = undefined;
  service.engine.lastLine = null;
});
afterAll(() => service.stop());

async function deploy(): Promise<string> {
  const { body: recipe } = await tenant.api.post<{ id: string }>('/v1/recipes', { name: 'R' });
  const { body } = await tenant.api.post<{ instance_id: string }>('/v1/recipes/deploy', {
    recipe_id: recipe.id,
    customer_id: await createCustomer(tenant),
    tier_id: TIER,
    region_id: 'eu-1',
    hostname: 'h',
  });
  return body.instance_id;
}

async function running(): Promise<string> {
  const id = await deploy();
  await untilShown(id, { status: 'running' });
  return id;
}

const untilShown = (id: string, fields: object) =>
  vi.waitFor(async () => {
    expect((await tenant.api.get(`/v1/instances/${id}`)).body).toMatchObject(fields);
  }, PATIENT);

const restartCount = async () => {
  const { text } = await service.anonymous.get('/metrics');
  return Number(/^acp_runtime_restarts_total (\d+)$/m.exec(text)?.[1]);
};

const startsOf = (id: string) => service.engine.started.filter((one) => one === id).length;

it('a runtime that ends by itself is restarted until it is up; the instance shows restarts and reason', async () => {
  const { engine } = service;
  const id = await running();
  const before = await restartCount();
  const ensure = vi.spyOn(engine, 'ensure');
  engine.failure = 'crashed';
  engine.lose(id, { reason: 'out_of_memory' });
  await vi.waitFor(() => expect(ensure).toHaveBeenCalledTimes(3), PATIENT);
  engine.failure = undefined;
  // The next start does not finish.
  ensure.mockImplementationOnce(async (spec) => engine.report(spec, { phase: 'starting' }));
  await vi.waitFor(() => expect(ensure).toHaveBeenCalledTimes(4), PATIENT);
  await untilShown(id, { runtime: { state: 'starting', reason: 'crashed', restarts: 4, generation: 1 } });
  const [spec] = ensure.mock.lastCall ?? expect.unreachable();
  engine.report(spec, { phase: 'gone', reason: 'crashed' });
  await untilShown(id, { runtime: { state: 'up', reason: null, restarts: 5, generation: 1 } });
  expect(await restartCount()).toBe(before + 5);
  expect([ensure.mock.calls.length, startsOf(id)]).toEqual([5, 2]);
});

const messagesOf = async (id: string) => {
  const { body } = await tenant.api.get<{ items: { message: string | null }[] }>(
    `/v1/instances/${id}/events`,
  );
  return body.items.map(({ message }) => message);
};

it('a runtime that ends tells its last line as an event, once for failures in a row', async () => {
  const { engine } = service;
  const id = await running();
  engine.lose(id, { reason: 'crashed', last_line: 'ModuleNotFoundError: requests' });
  await untilShown(id, { runtime: { state: 'up', restarts: 1 } });
  engine.lose(id, { reason: 'crashed', last_line: 'ModuleNotFoundError: requests' });
  await untilShown(id, { runtime: { state: 'up', restarts: 2 } });
  const told = (await messagesOf(id)).filter((message) => message?.includes('ModuleNotFoundError'));
  expect(told).toEqual(['The runtime ended by itself: ModuleNotFoundError: requests (it is started again)']);
});

it('a runtime that never starts says its last line in the task and in the events', async () => {
  const { engine } = service;
  engine.failure = 'crashed';
  engine.lastLine = 'ModuleNotFoundError: requests';
  const id = await deploy();
  await untilShown(id, { status: 'failed' });
  const why = 'The runtime ended by itself: ModuleNotFoundError: requests';
  expect(await messagesOf(id)).toContain(why);
  const errors = await service.database.query('select error from tasks where instance_id = $1', [id]);
  expect(errors).toEqual([{ error: why }]);
});

it('a runtime that ended during an outage of the database is restarted; the outage is no failure', async () => {
  const { engine, database } = service;
  const ensure = vi
    .spyOn(engine, 'ensure')
    .mockImplementationOnce(async (spec) => engine.report(spec, { phase: 'starting' }));
  const id = await deploy();
  await vi.waitFor(() => expect(ensure).toHaveBeenCalled(), PATIENT);
  const [spec] = ensure.mock.lastCall ?? expect.unreachable();
  await database.query('alter table runtimes rename to away');
  logged = '';
  engine.report(spec, { phase: 'gone', reason: 'crashed' });
  await vi.waitFor(() => {
    expect(logged).toContain('a runtime could not be started or ended');
    // An outage is logged once a minute.
    expect(logged).toContain('the runtimes of this host were not checked');
  }, PATIENT);
  await database.query('alter table away rename to runtimes');
  await untilShown(id, { status: 'running', runtime: { state: 'up', restarts: 0 } });
  expect(startsOf(id)).toBe(1);
});

it('a requested start has all its attempts, despite earlier failures', async () => {
  const { engine } = service;
  const id = await running();
  const ensure = vi.spyOn(engine, 'ensure');
  engine.failure = 'crashed';
  engine.lose(id, { reason: 'crashed' });
  await vi.waitFor(() => expect(ensure).toHaveBeenCalledTimes(4), PATIENT);
  await service.service.services.db.tenant(tenant.tenant_id).run(renewRuntime(id));
  await vi.waitFor(() => expect(ensure).toHaveBeenCalledTimes(6), PATIENT);
  engine.failure = undefined;
  await untilShown(id, { runtime: { state: 'up', reason: null, generation: 2 } });
});

it('a runtime that ends after the clock was set back is restarted', async () => {
  const id = await running();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 3_600_000 });
  service.engine.lose(id, { reason: 'crashed' });
  await vi.waitFor(() => expect(startsOf(id)).toBe(2), PATIENT);
  vi.useRealTimers();
  await untilShown(id, { runtime: { state: 'up', restarts: 1 } });
});
