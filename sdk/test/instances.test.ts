import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type InstanceStatus } from '../../server/src/catalogue/hosting.contract.ts';
import { insertStepEvent } from '../../server/src/instances/instance-events.db.ts';
import { moveInstance } from '../../server/src/instances/instances.db.ts';
import { insertInstance } from '../../server/test/support/instances.ts';
import { sharedService, type TestService, type TestTenant } from '../../server/test/support/service.ts';
import {
  ApiError,
  ConnectionError,
  ControlPlane,
  type InstanceEvent,
  InstanceFailedError,
  NotReadyError,
  WaitTimeoutError,
} from '../src/index.ts';
import {
  answer,
  beginning,
  endless,
  garbled,
  hangUp,
  json,
  Loopback,
  type Step,
  silent,
} from './support/loopback.ts';
import { passOn, startRelay } from './support/relay.ts';

const TIER = randomUUID();

let service: TestService;
let tenant: TestTenant;
let acp: ControlPlane;
let customer_id: string;
beforeAll(async () => {
  service = await sharedService('working');
  tenant = await service.createTenant();
  acp = clientAt(service.base_url);
  const operator = new ControlPlane({
    baseUrl: service.base_url,
    operationsToken: service.operations.headers.authorization?.replace('Bearer ', ''),
  });
  await operator.tiers.put(TIER, { name: 'Small' });
  await operator.regions.put('eu', { name: 'Europe' });
  customer_id = (await acp.customers.create({ email: 'one@example.com' })).id;
});

const clientAt = (baseUrl: string) => new ControlPlane({ baseUrl, apiKey: tenant.key });

let loopback: Loopback | undefined;
afterEach(async () => {
  vi.useRealTimers();
  await loopback?.stop();
  loopback = undefined;
});

async function through(...streams: Step[]): Promise<ControlPlane> {
  loopback = await startRelay(service.base_url, ...streams);
  return clientAt(loopback.baseUrl);
}

async function requestFor(recipe: object = {}) {
  const { id } = await acp.recipes.create({ name: 'R', ...recipe });
  return { recipe_id: id, customer_id, tier_id: TIER, region_id: 'eu', hostname: 'agent' };
}

async function insertWithLog(status: InstanceStatus) {
  const { id } = await insertInstance(service, tenant.tenant_id, { status });
  const q = service.service.services.db.tenant(tenant.tenant_id);
  const [task] = await service.database.query<{ task_id: string; runner_id: string }>(
    `insert into tasks (tenant_id, instance_id, kind, status, runner_id)
     values ($1, $2, 'provision', 'succeeded', gen_random_uuid()) returning id as task_id, runner_id`,
    [tenant.tenant_id, id],
  );
  const runner = task ?? expect.unreachable();
  const step = (name: string) =>
    q.run(insertStepEvent({ ...runner, instance_id: id }, { name, message: `${name} done` }));
  const move = (from: InstanceStatus, to: InstanceStatus, message: string | null = null) =>
    q.run(moveInstance(id, { from: [from], to, message }));
  return { id, step, move };
}

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => expect.unreachable('It succeeded'),
    (error: unknown) => error,
  );

async function closedAddress(): Promise<string> {
  const server = await Loopback.start(silent);
  const { baseUrl } = server;
  await server.stop();
  return baseUrl;
}

const eventText = ({ to, step, message }: InstanceEvent) => step ?? message ?? to;

const PROVISIONING = [
  'Deploy accepted',
  'Provisioning began',
  'allocate',
  'start_runtime',
  'wire_grants',
  'wire_channels',
  'wire_rules',
  'wait_for_health',
  'running',
];

describe('a deploy', () => {
  it('is followed until it runs', async () => {
    const { instance_id } = await acp.deploy(await requestFor());
    const seen: InstanceEvent[] = [];
    const onEvent = (event: InstanceEvent) => void seen.push(event);
    const instance = await acp.instances.waitUntilRunning(instance_id, { onEvent });
    expect(instance).toMatchObject({ id: instance_id, status: 'running', customer_id });
    expect(seen.map(eventText)).toEqual(PROVISIONING);
    expect((await acp.instances.waitUntilRunning(instance_id)).status).toBe('running');
  });

  it('that is not ready is an error that names the missing connections', async () => {
    const request = await requestFor({ connection_requirements: [{ provider: 'google_drive' }] });
    const error = await failureOf(acp.deploy(request));
    expect(error).toBeInstanceOf(NotReadyError);
    expect((error as NotReadyError).message).toContain('google_drive (missing)');
    expect((error as NotReadyError).missing_connections).toMatchObject([{ provider: 'google_drive' }]);
  });
});

describe('waiting for an instance', () => {
  it('ends with the message of the failed step', async () => {
    const { id, step, move } = await insertWithLog('provisioning');
    await step('allocate');
    const failed = failureOf(acp.instances.waitUntilRunning(id));
    await move('provisioning', 'failed', 'No room');
    const error = await failed;
    expect(error).toBeInstanceOf(InstanceFailedError);
    expect(error).toMatchObject({ instance_id: id, status: 'failed', event: { message: 'No room' } });
    expect(String(error)).toContain(`Instance ${id} is failed: No room`);
  });

  it('ends at once when it has already failed', async () => {
    const { id, move } = await insertWithLog('provisioning');
    await move('provisioning', 'failed', 'No room');
    await expect(acp.instances.waitUntilRunning(id)).rejects.toThrow('No room');
  });

  it('ends when it is terminated', async () => {
    const { id, move, step } = await insertWithLog('provisioning');
    await step('allocate');
    const failed = failureOf(acp.instances.waitUntilRunning(id));
    await move('provisioning', 'terminating', 'Termination requested');
    expect(await failed).toMatchObject({ name: 'InstanceFailedError', status: 'terminating' });
  });

  it('ignores an earlier failure', async () => {
    const { id, move } = await insertWithLog('provisioning');
    await move('provisioning', 'failed', 'No room');
    await move('failed', 'provisioning', 'Retry requested');
    const seen: string[] = [];
    const onEvent = (event: InstanceEvent) => void seen.push(eventText(event));
    const running = acp.instances.waitUntilRunning(id, { onEvent });
    await vi.waitFor(() => expect(seen).toEqual(['No room', 'Retry requested']), { timeout: 60_000 });
    await move('provisioning', 'running');
    expect((await running).status).toBe('running');
  });

  it('ends after timeoutMs, with the last known state', async () => {
    const { id, step } = await insertWithLog('provisioning');
    await step('start_runtime');
    const time = new AbortController();
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(time.signal);
    onTestFinished(() => timeout.mockRestore());
    const onEvent = () => time.abort();
    const error = await failureOf(acp.instances.waitUntilRunning(id, { timeoutMs: 2000, onEvent }));
    expect(timeout.mock.calls[0]).toEqual([2000]);
    expect(error).toBeInstanceOf(WaitTimeoutError);
    expect(String(error)).toContain('its state is provisioning (start_runtime done)');
  });

  it('ends with the signal', async () => {
    const { id, step } = await insertWithLog('provisioning');
    await step('allocate');
    const controller = new AbortController();
    const onEvent = () => controller.abort('enough');
    expect(await failureOf(acp.instances.waitUntilRunning(id, { signal: controller.signal, onEvent }))).toBe(
      'enough',
    );
  });

  it('ends with what onEvent throws', async () => {
    const { id, step } = await insertWithLog('provisioning');
    await step('allocate');
    const onEvent = ({ step }: InstanceEvent) => {
      throw new Error(`${step} is too much for ${id}`);
    };
    await expect(acp.instances.waitUntilRunning(id, { onEvent })).rejects.toThrow('allocate is too much');
  });

  it('fails without an instance or a server', async () => {
    await expect(acp.instances.waitUntilRunning(randomUUID())).rejects.toMatchObject({ status: 404 });
    const { instances } = clientAt(await closedAddress());
    await expect(instances.waitUntilRunning(randomUUID())).rejects.toThrow(ConnectionError);
  });
});

describe('waiting through a stream', () => {
  it.each([
    ['drops again and again', () => passOn(service.base_url, 1)],
    ['drops at once', () => passOn(service.base_url, 0)],
    ['is not let through', () => answer(502, 'text/html', 'Bad gateway')],
    ['is a page of something else', () => answer(200, 'text/html', '<p>')],
    ['has no end', () => endless('text/event-stream', 'data: x'.repeat(10_000))],
    ['is not of an instance', () => answer(200, 'text/event-stream', 'data: null\n\n')],
    ['is not of JSON', () => answer(200, 'text/event-stream', 'data: nonsense\n\n')],
  ])('that %s still sees every line once, in order', async (_how, stream) => {
    const relayed = await through(stream());
    const { instance_id } = await relayed.deploy(await requestFor());
    const seen: InstanceEvent[] = [];
    const onEvent = (event: InstanceEvent) => void seen.push(event);
    expect((await relayed.instances.waitUntilRunning(instance_id, { onEvent })).status).toBe('running');
    expect(seen.map(eventText)).toEqual(PROVISIONING);
  });

  it('survives an outage of the server', async () => {
    const { id, step, move } = await insertWithLog('provisioning');
    await step('allocate');
    const [pass, passOnce] = [passOn(service.base_url), passOn(service.base_url, 1)];
    const away = Array.from({ length: 6 }, () => hangUp);
    loopback = await Loopback.start(pass, passOnce, ...away, pass);
    const running = clientAt(loopback.baseUrl).instances.waitUntilRunning(id);
    while (loopback.received.length < 2 + away.length) await once(loopback, 'received');
    await move('provisioning', 'running');
    expect((await running).status).toBe('running');
  });
});

describe('the events of an instance', () => {
  it('come live, and end with it', async () => {
    const { id, step, move } = await insertWithLog('running');
    const events = acp.instances.events(id);
    await step('one');
    expect(eventText((await events.next()).value as InstanceEvent)).toBe('one');
    const next = events.next();
    await step('two');
    expect(eventText((await next).value as InstanceEvent)).toBe('two');
    await move('running', 'terminating');
    await move('terminating', 'terminated');
    const rest: InstanceEvent[] = [];
    for await (const event of events) rest.push(event);
    expect(rest.map(({ to }) => to)).toEqual(['terminating', 'terminated']);
  });

  it('begin after the last known one', async () => {
    const { id, step } = await insertWithLog('running');
    for (const name of ['one', 'two', 'three']) await step(name);
    const { items } = await acp.instances.listEvents(id);
    const known = items[1]?.id ?? 0;
    const relayed = await through(passOn(service.base_url));
    expect((await relayed.instances.events(id, { after: known }).next()).value).toEqual(items[0]);
    const asked = loopback?.received.find(({ headers }) => headers.accept === 'text/event-stream');
    expect(asked?.headers['last-event-id']).toBe(String(known));
  });

  it('are over when the last known one ended the instance', async () => {
    const { id, move } = await insertWithLog('running');
    await move('running', 'terminating');
    await move('terminating', 'terminated');
    const [known] = (await acp.instances.listEvents(id)).items;
    const signal = AbortSignal.timeout(120_000);
    const rest: InstanceEvent[] = [];
    for await (const event of acp.instances.events(id, { after: known?.id ?? 0, signal })) rest.push(event);
    expect(rest).toEqual([]);
  });

  it('close the connection when reading stops', async () => {
    const { id, step } = await insertWithLog('running');
    await step('one');
    const relayed = await through(passOn(service.base_url));
    const closed = once(loopback as Loopback, 'closed');
    for await (const event of relayed.instances.events(id)) {
      expect(event.step).toBe('one');
      break;
    }
    await closed;
  });

  it('are refused like any call', async () => {
    const { id } = await insertWithLog('running');
    const stranger = await service.createTenant();
    const theirs = new ControlPlane({ baseUrl: service.base_url, apiKey: stranger.key });
    const error = await failureOf(theirs.instances.events(id).next());
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 404 });
    const { instances } = clientAt(await closedAddress());
    await expect(instances.events(id).next()).rejects.toThrow(ConnectionError);
  });

  it('end with the signal, even with events at hand', async () => {
    const { id, step } = await insertWithLog('provisioning');
    for (const name of ['one', 'two', 'three']) await step(name);
    const controller = new AbortController();
    const events = acp.instances.events(id, { signal: controller.signal });
    await events.next();
    controller.abort('enough');
    expect(await failureOf(events.next())).toBe('enough');
  });

  it('end with the signal when the stream cannot be decompressed', async () => {
    loopback = await Loopback.start(garbled);
    const controller = new AbortController();
    const events = clientAt(loopback.baseUrl).instances.events('i', { signal: controller.signal });
    const failed = failureOf(events.next());
    await once(loopback, 'closed');
    setImmediate(() => controller.abort('enough'));
    expect(await failed).toBe('enough');
  });

  it.each([
    ['is silent', silent],
    ['falls silent', beginning('text/event-stream', ': hello\n\n')],
  ])('continue with pages when the stream %s', async (_how, stream) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const event = { id: 7, from: 'running', to: 'running', step: 'one', message: null, at: '' };
    loopback = await Loopback.start(stream, json(200, { items: [event], page: 1, per_page: 100, total: 1 }));
    const next = clientAt(loopback.baseUrl).instances.events('i').next();
    await once(loopback, 'received');
    await vi.advanceTimersByTimeAsync(60_000);
    expect((await next).value).toEqual(event);
  });
});
