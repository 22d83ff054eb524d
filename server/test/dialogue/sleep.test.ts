import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { listIdle } from '../../src/dialogue/idle.db.ts';
import { markIdle } from '../../src/runtimes/wakes.db.ts';
import { gate } from '../support/hold.ts';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';
import {
  deployed,
  heard,
  hears,
  look,
  offerPlaces,
  say,
  setBack,
  shows,
  sleeping,
  startsOf,
} from '../support/sleepers.ts';

const WAIT = { timeout: 60_000, interval: 20 };

let service: TestService;
let tenant: TestTenant;

beforeAll(async () => {
  service = await startTestService();
  // The tests look themselves.
  const rest = `update jobs set run_at = 'infinity', due_at = 'infinity'
                where kind = 'sleep_runtimes' and claim is null and attempts = 0 and due_at > now() returning key`;
  await vi.waitFor(async () => expect(await service.database.query(rest)).toHaveLength(1), WAIT);
  await offerPlaces(service);
  tenant = await service.createTenant();
});
afterEach(() => {
  service.engine.failure = undefined;
  service.runtimes.onMessage = () => {};
});
afterAll(() => service.stop());

const counted = async (outcome: string) => {
  const { text } = await service.anonymous.get('/metrics');
  return Number(new RegExp(`^acp_wakes_total\\{outcome="${outcome}"\\} (\\d+)$`, 'm').exec(text)?.[1]);
};

async function eventsOf(id: string): Promise<(string | null)[]> {
  const { body } = await tenant.api.get<{ items: { message: string | null }[] }>(
    `/v1/instances/${id}/events`,
  );
  return body.items.map(({ message }) => message);
}

const isUp = { status: 'running', runtime: { state: 'up', reason: null } };
const isAsleep = { status: 'running', runtime: { state: 'asleep' } };

it('an idle runtime sleeps, and the next message wakes it', async () => {
  const id = await sleeping(service, tenant);
  expect(service.engine.running.has(id)).toBe(false);
  const before = await counted('woken');
  await say(tenant, id, 'Good morning');
  await hears(service, id, 'Good morning');
  await shows(tenant, id, { ...isUp, runtime: { state: 'up', generation: 2 } });
  expect(await counted('woken')).toBe(before + 1);
  expect((await eventsOf(id)).slice(0, 2)).toEqual([
    'The runtime is woken by a message',
    'The runtime sleeps until the next message',
  ]);
  expect(await service.database.query('select from wake_waits')).toEqual([]);
});

it('messages of several conversations at once wake it once', async () => {
  const id = await sleeping(service, tenant);
  const texts = ['one', 'two', 'three'];
  await Promise.all(texts.map((text) => say(tenant, id, text)));
  await hears(service, id, ...texts);
  expect(startsOf(service, id)).toBe(2);
});

const change = (text: string) => (id: string) => service.database.query(text, [id]);

describe('stays awake', () => {
  it.each<[string, object, (id: string) => Promise<unknown>]>([
    ['without idle_minutes', {}, async () => {}],
    ['within its idle_minutes', { idle_minutes: 60 }, async () => {}],
    [
      'after a start',
      { idle_minutes: 5 },
      change('update runtimes set up_at = now() where instance_id = $1'),
    ],
    [
      'after a task',
      { idle_minutes: 5 },
      change('update tasks set finished_at = now() where instance_id = $1'),
    ],
    [
      'while a job of a conversation waits',
      { idle_minutes: 5 },
      change(`insert into jobs (kind, key, tenant_id, lane, due_at)
              select 'converse', gen_random_uuid(), tenant_id, id, now() + interval '1 hour' from instances where id = $1`),
    ],
    [
      'while an approval waits',
      { idle_minutes: 5 },
      change(`insert into approvals (id, tenant_id, instance_id, customer_id, tool, call_hash, requested_at, expires_at)
              select gen_random_uuid(), tenant_id, id, customer_id, 't', 'h', now() - interval '1 hour', now() + interval '1 hour'
              from instances where id = $1`),
    ],
  ])('%s', async (_name, fields, prepare) => {
    const id = await deployed(tenant, fields);
    await setBack(service, id);
    await prepare(id);
    await look(service);
    expect((await shows(tenant, id, isUp)).runtime.generation).toBe(1);
    expect(service.engine.running.has(id)).toBe(true);
  });

  it.each<[string, object]>([
    ['while a person has a conversation', { mode: 'human' }],
    ['after a message', {}],
  ])('%s', async (_name, patch) => {
    const id = await deployed(tenant);
    const { conversation_id } = await say(tenant, id);
    await hears(service, id, 'Hello');
    await tenant.api.patch(`/v1/conversations/${conversation_id}`, patch);
    await vi.waitFor(async () => {
      expect(await service.database.query(`select from jobs where lane = $1`, [id])).toEqual([]);
    }, WAIT);
    await setBack(service, id);
    if (!('mode' in patch)) {
      await service.database.query('update conversations set last_message_at = now() where id = $1', [
        conversation_id,
      ]);
    }
    await look(service);
    await shows(tenant, id, isUp);
    expect(service.engine.running.has(id)).toBe(true);
  });
});

describe('a message while it falls asleep', () => {
  it('that comes between the two looks keeps it awake', async () => {
    const id = await deployed(tenant);
    await setBack(service, id);
    const { system } = service.service.services.db;
    expect(await system.run(listIdle(500))).toContain(id);
    await system.run(markIdle([id]));
    await say(tenant, id);
    await hears(service, id, 'Hello');
    await look(service);
    expect(startsOf(service, id)).toBe(1);
    await shows(tenant, id, isUp);
  });

  it('that is being handed over keeps it awake, however long that takes', async () => {
    const id = await deployed(tenant);
    const { pass, reached, goOn } = gate();
    service.runtimes.onMessage = pass;
    await say(tenant, id);
    await reached;
    await setBack(service, id);
    await look(service);
    goOn();
    await hears(service, id, 'Hello');
    expect(startsOf(service, id)).toBe(1);
  });

  it('sleeps at the next look where the service was killed between the two', async () => {
    const id = await deployed(tenant);
    await setBack(service, id);
    await service.service.services.db.system.run(markIdle([id]));
    await shows(tenant, id, isUp);
    await look(service);
    await shows(tenant, id, isAsleep);
  });
});

it('a wake that fails is a failed try of the message; a later one wakes it', async () => {
  const id = await sleeping(service, tenant);
  const before = await counted('failed');
  service.engine.failure = 'spec_rejected';
  const { conversation_id } = await say(tenant, id);
  const why = 'The runtime did not wake: The engine refused to start the runtime';
  await vi.waitFor(async () => {
    const [message] = await service.database.query(
      'select status, attempts > 0 as was_tried, last_error from channel_messages where conversation_id = $1',
      [conversation_id],
    );
    expect(message).toEqual({ status: 'pending', was_tried: true, last_error: why });
  }, WAIT);
  expect(await counted('failed')).toBeGreaterThan(before);
  expect(await eventsOf(id)).toContain(why);
  service.engine.failure = undefined;
  await hears(service, id, 'Hello');
  await shows(tenant, id, isUp);
});

describe('while it sleeps', () => {
  it.each<[string, object]>([
    ['restart', isUp],
    ['stop', { status: 'stopped', runtime: { state: 'absent' } }],
  ])('a %s works', async (request, outcome) => {
    const id = await sleeping(service, tenant);
    expect((await tenant.api.post(`/v1/instances/${id}/${request}`)).status).toBe(202);
    await shows(tenant, id, outcome);
  });

  it('an upgrade changes its configuration, and the next message starts it with that', async () => {
    const id = await sleeping(service, tenant);
    const { body: instance } = await tenant.api.get<{ recipe_id: string }>(`/v1/instances/${id}`);
    const changed = await tenant.api.put(`/v1/recipes/${instance.recipe_id}`, { system_prompt: 'Be brief.' });
    expect(changed.status).toBe(200);
    const { status, body } = await tenant.api.post<{ task_id: string }>(`/v1/instances/${id}/upgrade`, {});
    expect(status).toBe(202);
    await vi.waitFor(async () => {
      expect((await tenant.api.get(`/v1/tasks/${body.task_id}`)).body).toMatchObject({ status: 'succeeded' });
    }, WAIT);
    await shows(tenant, id, isAsleep);
    await say(tenant, id);
    await hears(service, id, 'Hello');
  });

  it('a termination works', async () => {
    const id = await sleeping(service, tenant);
    expect((await tenant.api.request('DELETE', `/v1/instances/${id}`)).status).toBe(202);
    await shows(tenant, id, { status: 'terminated', runtime: { state: 'absent' } });
  });

  it('a stop while a message waits for it ends the wait', async () => {
    const id = await sleeping(service, tenant);
    const { reached, goOn, pass } = gate();
    const ensure = vi.spyOn(service.engine, 'ensure').mockImplementationOnce(async () => pass());
    await say(tenant, id);
    await reached;
    expect((await tenant.api.post(`/v1/instances/${id}/stop`)).status).toBe(202);
    goOn();
    await shows(tenant, id, { status: 'stopped', runtime: { state: 'absent' } });
    ensure.mockRestore();
    expect(heard(service, id)).toEqual([]);
    expect((await tenant.api.post(`/v1/instances/${id}/start`)).status).toBe(202);
    await hears(service, id, 'Hello');
  });
});

it('a customer may join a shared instance that sleeps', async () => {
  const shared = { idle_minutes: 5, hosting_mode: 'shared' };
  const id = await sleeping(service, tenant, shared);
  const [first] = await service.database.query<{ recipe_id: string; tier_id: string }>(
    'select recipe_id, tier_id from instances where id = $1',
    [id],
  );
  const customer = await tenant.api.post<{ id: string }>('/v1/customers', {
    email: `${randomUUID()}@example.com`,
  });
  const place = { ...first, customer_id: customer.body.id, region_id: 'eu-1', hostname: 'h' };
  const join = await tenant.api.post<{ instance_id: string; task_id: string }>('/v1/recipes/deploy', place);
  expect(join.body.instance_id).toBe(id);
  await vi.waitFor(async () => {
    expect((await tenant.api.get(`/v1/tasks/${join.body.task_id}`)).body).toMatchObject({
      status: 'succeeded',
    });
  }, WAIT);
  await shows(tenant, id, isAsleep);
});
