import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { Fleet, failUpgradesOf, holdUpgrades } from '../support/rollouts.ts';
import { startTestService, type TestService } from '../support/service.ts';

const WAIT = { timeout: 60_000, interval: 50 };

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterEach(() => void vi.restoreAllMocks());
afterAll(() => service.stop());

describe('a rollout', () => {
  it('upgrades every instance once, in batches, oldest first', async () => {
    const fleet = await Fleet.of(service, 5);
    const { status, body } = await fleet.start({ batches: [20, 60, 100] });
    expect(status).toBe(202);
    expect(body).toMatchObject({
      recipe_id: fleet.recipe_id,
      recipe_name: 'Crew',
      revision: 2,
      status: 'running',
      batch: 1,
      batches: [20, 60, 100],
      pause_seconds: 0,
      stop_when: { failed_upgrades: 1, refused_messages: null, llm_failures: null },
      stopped_because: null,
      created_by: { kind: 'api_key', name: 'test' },
      total: 5,
      items: fleet.instances.map((instance_id, index) => ({
        instance_id,
        hostname: `agent-${index + 1}`,
        from_revision: 1,
        batch: [1, 2, 2, 3, 3][index],
        status: 'waiting',
        error: null,
      })),
    });
    const done = await fleet.becomes(body.id, { status: 'succeeded' });
    expect(done).toMatchObject({
      batch: 3,
      counts: { upgraded: 5, waiting: 0 },
      ended_at: expect.any(String),
    });
    expect(await fleet.revisions()).toEqual([2, 2, 2, 2, 2]);
    expect(await fleet.upgrades()).toEqual([1, 1, 1, 1, 1]);
    const list = await fleet.tenant.api.get<{ items: object[] }>(fleet.path);
    expect(list.body).toMatchObject({ total: 1, items: [{ id: body.id, status: 'succeeded' }] });
    const page = await fleet.tenant.api.get(`${fleet.path}/${body.id}?page=2&per_page=2`);
    expect(page.body).toMatchObject({ page: 2, per_page: 2, total: 5, items: [{ batch: 2 }, { batch: 3 }] });
  });

  it('without anything to do succeeds', async () => {
    const fleet = await Fleet.of(service, 1);
    const id = await fleet.started({ revision: 1 });
    await fleet.becomes(id, { status: 'succeeded', items: [] });
    expect(await fleet.upgrades()).toEqual([0]);
  });

  it('begins the next batch after the pause', async () => {
    const fleet = await Fleet.of(service, 2);
    const id = await fleet.started({ batches: [50, 100], pause_seconds: 3600 });
    const resting = await fleet.becomes(id, { counts: { upgraded: 1 }, next_batch_at: expect.any(String) });
    expect(resting).toMatchObject({ status: 'running', batch: 1, counts: { waiting: 1 } });
    service.clock.advance(3_600_000);
    await fleet.becomes(id, { status: 'succeeded', batch: 2, next_batch_at: null });
  });

  it('upgrades five at once', async () => {
    const fleet = await Fleet.of(service, 7);
    const held = holdUpgrades();
    const id = await fleet.started({ batches: [100] });
    await fleet.becomes(id, { counts: { upgrading: 5, waiting: 2 } });
    await vi.waitFor(() => expect(held.begun).toHaveLength(5), WAIT);
    await fleet.becomes(id, { counts: { upgrading: 5, waiting: 2 } });
    held.goOn();
    await fleet.becomes(id, { status: 'succeeded' });
    expect(await fleet.upgrades()).toEqual([1, 1, 1, 1, 1, 1, 1]);
  });

  it('stops at the third instance, whose upgrade fails, and leaves the others alone', async () => {
    const fleet = await Fleet.of(service, 6);
    failUpgradesOf(fleet.instances[2]);
    const id = await fleet.started({ batches: [20, 40, 60, 100] });
    const stopped = await fleet.becomes(id, { status: 'stopped' });
    expect(stopped).toMatchObject({ stopped_because: 'failed_upgrades', batch: 2, next_batch_at: null });
    expect(fleet.statuses(stopped)).toEqual([
      'upgraded',
      'upgraded',
      'failed',
      'waiting',
      'waiting',
      'waiting',
    ]);
    expect(stopped.items[2]?.error).toBe('It is of no use');
    expect(await fleet.revisions()).toEqual([2, 2, 1, 1, 1, 1]);
  });

  it('resumed after it stopped goes on with what waits, and stops at the next failure', async () => {
    const fleet = await Fleet.of(service, 4);
    failUpgradesOf(fleet.instances[0], fleet.instances[2]);
    const id = await fleet.started({ batches: [25, 50, 75, 100] });
    await fleet.becomes(id, { status: 'stopped', batch: 1 });
    expect((await fleet.ask(id, 'resume')).status).toBe(202);
    const again = await fleet.becomes(id, { status: 'stopped', batch: 3 });
    expect(fleet.statuses(again)).toEqual(['failed', 'upgraded', 'failed', 'waiting']);
    await fleet.ask(id, 'resume');
    await fleet.becomes(id, { status: 'succeeded' });
    expect(await fleet.upgrades()).toEqual([1, 1, 1, 1]);
  });

  it('skips what cannot begin, with the reason, and counts it for nothing', async () => {
    const fleet = await Fleet.of(service, 5);
    const [failed, ended, current = ''] = fleet.instances;
    const { database } = service;
    await database.query(`update instances set status = 'failed' where id = $1`, [failed]);
    const id = await fleet.started({ batches: [1, 100], pause_seconds: 3600 });
    await database.query(`update instances set status = 'terminated' where id = $1`, [ended]);
    await fleet.becomes(id, { counts: { skipped: 1, waiting: 4 }, next_batch_at: expect.any(String) });
    await fleet.upgrade(current, { revision: 2 });
    service.clock.advance(3_600_000);
    const done = await fleet.becomes(id, { status: 'succeeded' });
    expect(done.items.map(({ status, error }) => [status, error])).toEqual([
      ['skipped', 'An instance that is failed is left out'],
      ['skipped', 'An instance that is terminated cannot upgrade'],
      ['skipped', 'It has the revision already'],
      ['upgraded', null],
      ['upgraded', null],
    ]);
  });

  it('skips instances whose customers lack a connection', async () => {
    const fleet = await Fleet.of(service, 1);
    const { body } = await fleet.change({ connection_requirements: ['crm'] });
    const id = await fleet.started({ revision: body.revision });
    const done = await fleet.becomes(id, { status: 'succeeded' });
    expect(done.items).toMatchObject([{ status: 'skipped', error: 'Connections are missing: crm' }]);
  });

  it('waits for another task of an instance, for 10 minutes', async () => {
    const fleet = await Fleet.of(service, 2);
    const [busy = '', waits = ''] = fleet.instances;
    const task = `insert into tasks (tenant_id, instance_id, kind, status)
      select tenant_id, id, 'stop', 'queued' from instances where id = any ($1)`;
    await service.database.query(task, [[busy, waits]]);
    const id = await fleet.started({ batches: [100] });
    const both = `select from rollout_items where rollout_id = $1 and busy_since is not null`;
    await fleet.becomes(id, { counts: { waiting: 2 } });
    await vi.waitFor(async () => expect(await service.database.query(both, [id])).toHaveLength(2), WAIT);
    await service.database.query(
      `update tasks set status = 'canceled', finished_at = now() where instance_id = $1 and kind = 'stop'`,
      [waits],
    );
    await fleet.becomes(id, { counts: { upgraded: 1, waiting: 1 } });
    service.clock.advance(600_000);
    const done = await fleet.becomes(id, { status: 'succeeded', counts: { upgraded: 1, skipped: 1 } });
    expect(done.items[0]?.error).toBe('Another task of the instance has been at work for 10 minutes');
    expect(await fleet.upgrades()).toEqual([0, 1]);
  });

  it('counts an upgrade that somebody cancels for nothing', async () => {
    const fleet = await Fleet.of(service, 1);
    const held = holdUpgrades();
    const id = await fleet.started();
    await vi.waitFor(() => expect(held.begun).toHaveLength(1), WAIT);
    const { body } = await fleet.tenant.api.get<{ items: { task_id: string }[] }>(
      `/v1/tasks?instance_id=${fleet.instances[0]}&status=running`,
    );
    await fleet.tenant.api.post(`/v1/tasks/${body.items[0]?.task_id}/cancel`);
    held.goOn();
    const done = await fleet.becomes(id, { status: 'succeeded' });
    expect(done.items).toMatchObject([{ status: 'skipped', error: 'Canceled' }]);
  });

  it('is one of its recipe at a time, also when two ask at once', async () => {
    const fleet = await Fleet.of(service, 2);
    const held = holdUpgrades();
    const answers = await Promise.all([fleet.start(), fleet.start(), fleet.start()]);
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['202', '409', '409']);
    const id = answers.find(({ status }) => status === 202)?.body.id ?? expect.unreachable();
    expect((await fleet.tenant.api.request('DELETE', `/v1/recipes/${fleet.recipe_id}`)).status).toBe(409);
    await fleet.ask(id, 'pause');
    expect((await fleet.start()).status).toBe(409);
    expect((await fleet.tenant.api.request('DELETE', `/v1/recipes/${fleet.recipe_id}`)).status).toBe(409);
    await fleet.ask(id, 'stop');
    const other = await fleet.started({ batches: [100], pause_seconds: 3600 });
    expect((await fleet.ask(id, 'resume')).status).toBe(409);
    expect((await fleet.ask(id, 'rollback')).status).toBe(409);
    await fleet.ask(other, 'stop');
    held.goOn();
    await fleet.becomes(id, { counts: { upgrading: 0 } });
    expect((await fleet.tenant.api.request('DELETE', `/v1/recipes/${fleet.recipe_id}`)).status).toBe(204);
    for (const path of [fleet.path, `${fleet.path}/${id}`])
      expect((await fleet.tenant.api.get(path)).status).toBe(404);
    expect((await fleet.ask(id, 'rollback')).status).toBe(404);
    expect((await fleet.start()).status).toBe(404);
  });

  it('pauses, resumes and stops; what has begun ends', async () => {
    const fleet = await Fleet.of(service, 4);
    const held = holdUpgrades();
    const id = await fleet.started({ batches: [25, 100] });
    await vi.waitFor(() => expect(held.begun).toHaveLength(1), WAIT);
    expect(await fleet.ask(id, 'pause')).toMatchObject({ status: 200, body: { status: 'paused' } });
    expect((await fleet.ask(id, 'pause')).status).toBe(409);
    held.goOn();
    await fleet.becomes(id, { status: 'paused', counts: { upgraded: 1, waiting: 3 } });
    const later = holdUpgrades();
    expect((await fleet.ask(id, 'resume')).status).toBe(202);
    await fleet.becomes(id, { status: 'running', batch: 2, counts: { upgrading: 3 } });
    expect((await fleet.ask(id, 'resume')).status).toBe(409);
    expect((await fleet.ask(id, 'rollback')).status).toBe(409);
    const stopped = await fleet.ask(id, 'stop');
    expect(stopped).toMatchObject({ status: 200, body: { status: 'stopped', stopped_because: 'requested' } });
    expect((await fleet.ask(id, 'stop')).status).toBe(409);
    later.goOn();
    await fleet.becomes(id, { status: 'stopped', counts: { upgraded: 4 } });
    await fleet.ask(id, 'resume');
    await fleet.becomes(id, { status: 'succeeded' });
    for (const verb of ['pause', 'resume', 'stop'] as const)
      expect((await fleet.ask(id, verb)).status).toBe(409);
    expect((await fleet.ask(randomUUID(), 'pause')).status).toBe(404);
  });

  it('rests while its tenant is inactive', async () => {
    const fleet = await Fleet.of(service, 2);
    const id = await fleet.started({ batches: [50, 100], pause_seconds: 3600 });
    await fleet.becomes(id, { counts: { upgraded: 1 }, next_batch_at: expect.any(String) });
    const tenant = `/internal/v1/tenants/${fleet.tenant.tenant_id}`;
    await service.operations.patch(tenant, { is_active: false });
    service.clock.advance(3_600_000);
    const job = `update jobs set run_at = '-infinity', due_at = now() where key = $1 returning pg_notify('jobs', kind)`;
    await service.database.query(job, [id]);
    const other = await Fleet.of(service, 1);
    await other.becomes(await other.started(), { status: 'succeeded' });
    expect(await service.database.query('select batch from rollouts where id = $1', [id])).toEqual([
      { batch: 1 },
    ]);
    await service.operations.patch(tenant, { is_active: true });
    await fleet.becomes(id, { status: 'succeeded' });
  });

  it.each([
    [{ batches: [] }, ['body', 'batches'], 'too_short'],
    [{ batches: [50] }, ['body', 'batches'], 'value_error'],
    [{ batches: [50, 50, 100] }, ['body', 'batches'], 'value_error'],
    [{ batches: [0, 100] }, ['body', 'batches', '0'], 'greater_than_equal'],
    [{ pause_seconds: 86_401 }, ['body', 'pause_seconds'], 'less_than_equal'],
    [{ stop_when: { failed_upgrades: 0 } }, ['body', 'stop_when', 'failed_upgrades'], 'greater_than_equal'],
    [{ revision: undefined }, ['body', 'revision'], 'missing'],
  ])('is refused with %j', async (fields, loc, type) => {
    const tenant = await service.createTenant();
    const recipe = await tenant.api.post<{ id: string }>('/v1/recipes', { name: 'R' });
    const answer = await tenant.api.post(`/v1/recipes/${recipe.body.id}/rollouts`, {
      revision: 1,
      ...fields,
    });
    expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc, type }] } });
  });

  it('of an unknown recipe or revision is 404, and of null has the defaults', async () => {
    const fleet = await Fleet.of(service, 1);
    expect((await fleet.start({ revision: 9 })).status).toBe(404);
    const other = await service.createTenant();
    expect((await other.api.post(fleet.path, { revision: 1 })).status).toBe(404);
    const nothing = { batches: null, pause_seconds: null, stop_when: null, dry_run: null };
    expect((await fleet.start(nothing)).body).toMatchObject({ batches: [5, 25, 100], pause_seconds: 300 });
  });

  it('is open to members with instances:write', async () => {
    const fleet = await Fleet.of(service, 1);
    const key = await service.createKey(fleet.tenant.tenant_id, { scopes: ['instances:write'] });
    const member = service.anonymous.with({ 'x-api-key': key });
    expect((await member.post(fleet.path, { revision: 2 })).status).toBe(202);
    const reader = await service.createKey(fleet.tenant.tenant_id, { scopes: ['instances:read'] });
    const refused = await service.anonymous.with({ 'x-api-key': reader }).post(fleet.path, { revision: 2 });
    expect(refused.status).toBe(403);
  });
});

describe('dry_run', () => {
  it('shows the plan of each instance and changes nothing', async () => {
    const fleet = await Fleet.of(service, 3);
    await service.database.query(`update instances set status = 'failed' where id = $1`, [
      fleet.instances[1],
    ]);
    const answer = await fleet.start({ dry_run: true, batches: [50, 100] });
    expect(answer.status).toBe(200);
    const changes = [{ pointer: '/system_prompt', deployed: 'first', current: 'second' }];
    const plan = { ready: true, missing_connections: [], changes, plan_hash: expect.any(String) };
    expect(answer.body).toMatchObject({
      revision: 2,
      recipe_name: 'Crew',
      total: 3,
      items: [
        { batch: 1, status: 'waiting', plan },
        { batch: 1, status: 'skipped', error: 'An instance that is failed is left out', plan: null },
        { batch: 2, status: 'waiting', plan },
      ],
    });
    expect(
      await service.database.query('select from rollouts where recipe_id = $1', [fleet.recipe_id]),
    ).toEqual([]);
    expect(await fleet.revisions()).toEqual([1, 1, 1]);
  });

  it('names connections that are missing', async () => {
    const fleet = await Fleet.of(service, 1);
    const { body } = await fleet.change({ connection_requirements: ['crm'] });
    const answer = await fleet.start({ revision: body.revision, dry_run: true });
    expect(answer.body.items).toMatchObject([
      { status: 'skipped', error: 'Connections are missing: crm', plan: { ready: false } },
    ]);
  });
});
