import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { purgeAll } from '../support/jobs.ts';
import { Fleet, failUpgradesOf, holdUpgrades } from '../support/rollouts.ts';
import { startTestService, type TestService } from '../support/service.ts';

const DAY_MS = 86_400_000;
const WAIT = { timeout: 60_000, interval: 50 };

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterEach(() => void vi.restoreAllMocks());
afterAll(() => service.stop());

/** Stopped by the second of three instances. */
async function stoppedFleet() {
  const fleet = await Fleet.of(service, 3);
  const goOn = failUpgradesOf(fleet.instances[1]);
  const id = await fleet.started({ batches: [30, 60, 100] });
  await fleet.becomes(id, { status: 'stopped' });
  goOn();
  return { fleet, id };
}

async function succeeded(fleet: Fleet, fields: object = {}): Promise<string> {
  const id = await fleet.started(fields);
  await fleet.becomes(id, { status: 'succeeded' });
  return id;
}

describe('a rollback', () => {
  it('of a stopped rollout takes back what was upgraded, once', async () => {
    const { fleet, id } = await stoppedFleet();
    expect(await fleet.ask(id, 'rollback')).toMatchObject({
      status: 202,
      body: { status: 'rolling_back', stopped_because: null, ended_at: null },
    });
    const done = await fleet.becomes(id, { status: 'rolled_back', ended_at: expect.any(String) });
    expect(fleet.statuses(done)).toEqual(['rolled_back', 'failed', 'waiting']);
    expect(await fleet.revisions()).toEqual([1, 1, 1]);
    expect(await fleet.upgrades()).toEqual([2, 1, 0]);
    for (const verb of ['pause', 'resume', 'stop', 'rollback'] as const)
      expect((await fleet.ask(id, verb)).status).toBe(409);
  });

  it('of a paused one lets what has begun end first', async () => {
    const fleet = await Fleet.of(service, 2);
    const held = holdUpgrades();
    const id = await fleet.started({ batches: [50, 100] });
    await vi.waitFor(() => expect(held.begun).toHaveLength(1), WAIT);
    await fleet.ask(id, 'pause');
    expect((await fleet.ask(id, 'rollback')).status).toBe(202);
    expect((await fleet.start()).status).toBe(409);
    await fleet.becomes(id, { status: 'rolling_back', counts: { upgrading: 1 } });
    held.goOn();
    const done = await fleet.becomes(id, { status: 'rolled_back' });
    expect(fleet.statuses(done)).toEqual(['rolled_back', 'waiting']);
    expect(await fleet.upgrades()).toEqual([2, 0]);
  });

  it('of a succeeded one takes each instance to where it came from, with its own overrides', async () => {
    const fleet = await Fleet.of(service, 2);
    const [first = '', second = ''] = fleet.instances;
    await fleet.upgrade(second, { revision: 2, instance_overrides: { voice_config: { tone: 'calm' } } });
    const { body } = await fleet.change({ system_prompt: 'third' });
    const id = await succeeded(fleet, { revision: body.revision });
    expect(await fleet.revisions()).toEqual([3, 3]);
    await fleet.ask(id, 'rollback');
    const done = await fleet.becomes(id, { status: 'rolled_back' });
    expect(done.items.map((item) => [item.instance_id, item.from_revision])).toEqual([
      [first, 1],
      [second, 2],
    ]);
    expect(await fleet.revisions()).toEqual([1, 2]);
    const instance = await fleet.tenant.api.get(`/v1/instances/${second}`);
    expect(instance.body).toMatchObject({
      resolved_config: { system_prompt: 'second', voice_config: { tone: 'calm' } },
    });
  });

  it('skips an instance that was upgraded again since, even to the same revision, or that is gone', async () => {
    const fleet = await Fleet.of(service, 4);
    const [again = '', same = '', gone = '', stays = ''] = fleet.instances;
    const id = await succeeded(fleet);
    const { body } = await fleet.change({ system_prompt: 'third' });
    await fleet.upgrade(again, { revision: body.revision });
    await fleet.upgrade(same, { instance_overrides: { system_prompt: 'own' }, revision: 2 });
    await fleet.tenant.api.request('DELETE', `/v1/instances/${gone}`);
    await fleet.ask(id, 'rollback');
    const done = await fleet.becomes(id, { status: 'rolled_back' });
    const error = 'It was upgraded again, or terminated, since';
    expect(done.items).toMatchObject([
      { status: 'skipped', error },
      { status: 'skipped', error },
      { status: 'skipped', error },
      { status: 'rolled_back', error: null },
    ]);
    expect((await fleet.revisions()).at(-1)).toBe(1);
    expect(done.items[3]?.instance_id).toBe(stays);
  });

  it('in which one cannot go back ends stopped, and only a rollback is possible again', async () => {
    const fleet = await Fleet.of(service, 2);
    const id = await succeeded(fleet);
    const end = failUpgradesOf(fleet.instances[0]);
    await fleet.ask(id, 'rollback');
    const stopped = await fleet.becomes(id, { status: 'stopped', stopped_because: 'rollback_failed' });
    expect(stopped.items).toMatchObject([
      { status: 'failed', error: 'It is of no use' },
      { status: 'rolled_back', error: null },
    ]);
    expect((await fleet.ask(id, 'resume')).status).toBe(409);
    end();
    expect((await fleet.ask(id, 'rollback')).status).toBe(202);
    await fleet.becomes(id, { status: 'rolled_back', counts: { rolled_back: 2 } });
    expect(await fleet.upgrades()).toEqual([3, 2]);
  });

  it('fails for an instance whose customer lacks what the former revision needs', async () => {
    const fleet = await Fleet.of(service, 1);
    const { body } = await fleet.change({ connection_requirements: ['crm'] });
    const connections = `/v1/customers/${fleet.customer_id}/connections`;
    const { body: connection } = await fleet.tenant.api.post<{ id: string }>(connections, {
      provider: 'crm',
      credentials: {},
    });
    await fleet.upgrade(fleet.instances[0] ?? '', { revision: body.revision });
    const id = await succeeded(fleet, { revision: 2 });
    await fleet.tenant.api.request('DELETE', `${connections}/${connection.id}`);
    await fleet.ask(id, 'rollback');
    const stopped = await fleet.becomes(id, { status: 'stopped', stopped_because: 'rollback_failed' });
    expect(stopped.items).toMatchObject([{ status: 'failed', error: 'Connections are missing: crm' }]);
  });

  it('is possible for 7 days, for which the revisions are kept', async () => {
    const fleet = await Fleet.of(service, 1);
    const tenant = `/internal/v1/tenants/${fleet.tenant.tenant_id}`;
    await service.operations.patch(tenant, { limits: { revisions_kept: 1 } });
    const id = await succeeded(fleet);
    const kept = async () => {
      const { body } = await fleet.tenant.api.get<{ items: { revision: number }[] }>(
        `/v1/recipes/${fleet.recipe_id}/revisions`,
      );
      return body.items.map(({ revision }) => revision);
    };
    await fleet.change({ system_prompt: 'third' });
    expect(await kept()).toEqual([3, 2, 1]);
    service.clock.advance(7 * DAY_MS + 1);
    expect((await fleet.ask(id, 'rollback')).status).toBe(409);
    // The database's clock decides about revisions.
    await service.database.query(`update rollouts set ended_at = now() - interval '8 days' where id = $1`, [
      id,
    ]);
    await fleet.change({ system_prompt: 'fourth' });
    expect(await kept()).toEqual([4, 2]);
  });
});

it('tells event endpoints that a rollout stopped, and that it succeeded', async () => {
  const fleet = await Fleet.of(service, 2);
  const endpoint = { url: 'https://example.com/events', events: ['rollout.stopped', 'rollout.succeeded'] };
  expect((await fleet.tenant.api.post('/v1/event-endpoints', endpoint)).status).toBe(201);
  const end = failUpgradesOf(fleet.instances[0]);
  const id = await fleet.started({ batches: [50, 100] });
  await fleet.becomes(id, { status: 'stopped' });
  end();
  await fleet.ask(id, 'resume');
  await fleet.becomes(id, { status: 'succeeded' });
  const told = await service.database.query(
    'select type, data from events where tenant_id = $1 order by at, id',
    [fleet.tenant.tenant_id],
  );
  const data = { rollout_id: id, recipe_id: fleet.recipe_id, recipe_name: 'Crew', revision: 2 };
  expect(told).toEqual([
    { type: 'rollout.stopped', data: { ...data, reason: 'failed_upgrades' } },
    { type: 'rollout.succeeded', data },
  ]);
});

describe('stop_when', () => {
  it('counts the tries that upgraded runtimes do not take', async () => {
    const fleet = await Fleet.of(service, 2);
    const [upgraded = '', waiting = ''] = fleet.instances;
    service.runtimes.onMessage = () => {
      throw new Error('Not now');
    };
    const write = async (instance_id: string) =>
      (
        await fleet.tenant.api.post<{ conversation_id: string }>(`/v1/instances/${instance_id}/playground`, {
          text: 'hello',
        })
      ).body.conversation_id;
    const id = await fleet.started({
      batches: [50, 100],
      pause_seconds: 3600,
      stop_when: { refused_messages: 2 },
    });
    await write(waiting);
    await fleet.becomes(id, { counts: { upgraded: 1 }, next_batch_at: expect.any(String) });
    await Promise.all([write(upgraded), write(upgraded)]);
    const stopped = await fleet.becomes(id, { status: 'stopped', stopped_because: 'refused_messages' });
    service.runtimes.onMessage = () => {};
    expect(fleet.statuses(stopped)).toEqual(['upgraded', 'waiting']);
    const counted = await service.database.query(
      'select instance_id from rollout_refusals where rollout_id = $1',
      [id],
    );
    expect(counted).toEqual([{ instance_id: upgraded }]);
  });

  it('counts failed calls of models since the upgrade, until pause_seconds after the last batch', async () => {
    const fleet = await Fleet.of(service, 1);
    const fail = (at: string) =>
      service.database.query(
        `insert into llm_calls (id, tenant_id, instance_id, at, asked_model, model, provider, is_operators, status)
         select gen_random_uuid(), tenant_id, id, ${at}, 'm', 'm', 'p', true, 'failed' from instances where id = $1`,
        [fleet.instances[0]],
      );
    await fail(`now() - interval '1 hour'`);
    const id = await fleet.started({ pause_seconds: 3600, stop_when: { llm_failures: 1 } });
    const isWatched = () =>
      vi.waitFor(async () => {
        const watched = 'select from rollouts where id = $1 and watched_until is not null';
        expect(await service.database.query(watched, [id])).toHaveLength(1);
      }, WAIT);
    await fleet.becomes(id, { status: 'running', counts: { upgraded: 1 } });
    await isWatched();
    await fail(`now() + interval '8 days'`);
    await fleet.becomes(id, { status: 'stopped', stopped_because: 'llm_failures' });
    await fleet.ask(id, 'resume');
    await isWatched();
    service.clock.advance(3_600_000);
    await fleet.becomes(id, { status: 'succeeded' });
  });
});

describe('what is kept of a rollout', () => {
  it('goes with the customer of its instance', async () => {
    const fleet = await Fleet.of(service, 1);
    const id = await succeeded(fleet);
    await fleet.tenant.api.request('DELETE', `/v1/instances/${fleet.instances[0]}`);
    await fleet.areAll('terminated');
    const gone = await fleet.tenant.api.request('DELETE', `/v1/customers/${fleet.customer_id}`);
    expect(gone.status, gone.text).toBe(204);
    expect(await fleet.read(id)).toMatchObject({ status: 'succeeded', items: [], total: 0 });
  });

  it('goes a year after its end', async () => {
    const fleet = await Fleet.of(service, 1);
    const id = await succeeded(fleet);
    service.clock.advance(366 * DAY_MS);
    await purgeAll(service, ['rollouts']);
    expect((await fleet.tenant.api.get(`${fleet.path}/${id}`)).status).toBe(404);
    expect(await service.database.query('select from rollout_items where rollout_id = $1', [id])).toEqual([]);
  });

  it('are the newest 200 of a recipe', async () => {
    const fleet = await Fleet.of(service, 1);
    await service.database.query(
      `insert into rollouts (id, tenant_id, recipe_id, revision, status, batches, pause_seconds, failed_upgrades, created_at, ended_at)
       select gen_random_uuid(), tenant_id, id, 1, 'succeeded', '[100]', 0, 1, now() - interval '1 day' * n, now()
       from recipes, generate_series(1, 205) n where id = $1`,
      [fleet.recipe_id],
    );
    await succeeded(fleet);
    const { body } = await fleet.tenant.api.get<{ total: number }>(fleet.path);
    expect(body.total).toBe(201);
  });
});
