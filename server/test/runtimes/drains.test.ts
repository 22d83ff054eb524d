import { randomBytes, randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Engine } from '../../src/runtimes/engine.port.ts';
import { createCustomer } from '../support/customers.ts';
import { FakeCluster } from '../support/fake-cluster.ts';
import { gate } from '../support/hold.ts';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';
import { say, shows } from '../support/sleepers.ts';

const WAIT = { timeout: 60_000, interval: 50 };
const TIER = randomUUID();

let from: FakeCluster;
let to: FakeCluster;
/** Starts runtimes in the second cluster. */
let there: Pick<Engine, 'ensure'>;
let master_key: Buffer;
let front: TestService;
let tenant: TestTenant;
let copies: TestService[];

beforeEach(async () => {
  [from, to, copies] = [new FakeCluster(), new FakeCluster(), []];
  there = to.open();
  master_key = randomBytes(32);
  front = await startTestService({ master_key, runsJobs: false });
  await front.operations.put(`/internal/v1/tiers/${TIER}`, { name: 'Small' });
  for (const region of ['eu-1', 'us-1']) await front.operations.put(`/internal/v1/regions/${region}`, {});
  await front.database.query(
    `insert into clusters (id, host_id, region_id, engine, is_active) values
       ('c1', gen_random_uuid(), 'eu-1', 'docker', true), ('c2', gen_random_uuid(), 'eu-1', 'docker', false)`,
  );
  tenant = await front.createTenant();
});
afterEach(async () => {
  for (const copy of copies) await copy.service.stop();
  await front.stop();
});

async function startCopy(): Promise<TestService> {
  const copy = await startTestService({
    master_key,
    database: front.database,
    pace: { hostMs: 200, awayMs: 300, leasesMs: 100 },
    openEngine: ({ id }) =>
      id === 'c1' ? from.open() : { ...to.open(), ensure: (spec, mint) => there.ensure(spec, mint) },
  });
  copies.push(copy);
  return copy;
}

async function running(): Promise<string> {
  const { body: recipe } = await tenant.api.post<{ id: string }>('/v1/recipes', { name: 'R' });
  const place = { tier_id: TIER, region_id: 'eu-1', hostname: 'h', recipe_id: recipe.id };
  const customer_id = await createCustomer(tenant);
  const { body } = await tenant.api.post<{ instance_id: string }>('/v1/recipes/deploy', {
    ...place,
    customer_id,
  });
  await shows(tenant, body.instance_id, { status: 'running', cluster_id: 'c1', runtime: { state: 'up' } });
  return body.instance_id;
}

const change = (id: string, fields: string) =>
  front.database.query(`update clusters set ${fields} where id = $1`, [id]);
const openTarget = (fields = '') => change('c2', `is_active = true ${fields}`);

const drain = (body: object = {}, id = 'c1') =>
  front.operations.post<{ count: number; detail: string }>(`/internal/v1/clusters/${id}/drain`, body);

const isOver = () =>
  vi.waitFor(async () => expect(await front.database.query('select from cluster_drains')).toEqual([]), WAIT);

const lastEvent = async (id: string) =>
  (await tenant.api.get<{ items: { message: string }[] }>(`/v1/instances/${id}/events`)).body.items[0]
    ?.message;

const movesOf = async () =>
  (
    await front.operations.get<{ items: { kind: string; status: string }[] }>(
      '/internal/v1/tasks?per_page=100',
    )
  ).body.items
    .filter(({ kind }) => kind === 'move')
    .map(({ status }) => status);

it('moves a cluster’s instances: the old runtime ends, the new one starts, a message meanwhile waits', async () => {
  const copy = await startCopy();
  const [id, stopped] = [await running(), await running()];
  await tenant.api.post(`/v1/instances/${stopped}/stop`);
  await shows(tenant, stopped, { status: 'stopped' });
  const { pass, reached, goOn } = gate();
  there = to.open({ beforeCreate: pass });
  await openTarget();
  expect(await drain()).toMatchObject({ status: 202, body: { count: 2 } });
  await reached;
  expect([from.runtimes.has(id), from.removed]).toEqual([false, expect.arrayContaining([id])]);
  await say(tenant, id, 'Are you there?');
  goOn();
  await isOver();
  await shows(tenant, id, { status: 'running', cluster_id: 'c2', runtime: { state: 'up', generation: 2 } });
  await shows(tenant, stopped, { status: 'stopped', cluster_id: 'c2', runtime: { state: 'absent' } });
  await vi.waitFor(
    () => expect(copy.runtimes.messages.map(({ message }) => message.text)).toEqual(['Are you there?']),
    WAIT,
  );
  expect([await lastEvent(id), await movesOf()]).toEqual([
    'Moved to another cluster',
    ['succeeded', 'succeeded'],
  ]);
  expect(to.made).toEqual([{ instance_id: id, generation: 2 }]);
  expect((await front.operations.get('/internal/v1/clusters/c1')).body).toMatchObject({
    is_active: false,
    instances: 0,
  });
});

it('an instance that does not start elsewhere goes back', async () => {
  await startCopy();
  const id = await running();
  there = {
    ensure: async ({ instance_id, generation, hash: spec_hash }) =>
      to.put(instance_id, { generation, spec_hash, phase: 'gone', reason: 'spec_rejected', address: null }),
  };
  await openTarget();
  await drain({ to: 'c2' });
  await isOver();
  expect(await movesOf()).toEqual(['failed']);
  await shows(tenant, id, { status: 'running', cluster_id: 'c1', runtime: { state: 'up', reason: null } });
  expect(await lastEvent(id)).toMatch(
    /^The move failed: The engine refused .* \(it starts again where it was/,
  );
});

it('goes on with another copy of the service where the first one ends', async () => {
  const first = await startCopy();
  const id = await running();
  const { pass, reached, goOn } = gate();
  there = to.open({ beforeCreate: pass });
  await openTarget();
  await drain();
  await reached;
  there = to.open();
  await startCopy();
  copies.splice(copies.indexOf(first), 1);
  const stopping = first.service.stop();
  goOn();
  await stopping;
  await isOver();
  await shows(tenant, id, { status: 'running', cluster_id: 'c2', runtime: { state: 'up' } });
  expect(from.runtimes.has(id)).toBe(false);
});

it('does not overfill the other cluster; what has no room there goes on where it is', async () => {
  await startCopy();
  const ids = [await running(), await running()];
  await openTarget(', max_instances = 1');
  await drain();
  await isOver();
  expect((await movesOf()).toSorted()).toEqual(['failed', 'succeeded']);
  const { body } = await tenant.api.get<{
    items: { id: string; cluster_id: string; runtime: { generation: number } }[];
  }>('/v1/instances');
  const places = body.items
    .filter(({ id }) => ids.includes(id))
    .map(({ cluster_id, runtime }) => `${cluster_id} ${runtime.generation}`);
  expect(places.toSorted()).toEqual(['c1 1', 'c2 2']);
});

describe('of a cluster that is out of reach', () => {
  it('needs force, and leaves its runtimes behind', async () => {
    await startCopy();
    const id = await running();
    from.isAway = true;
    await vi.waitFor(async () => {
      expect((await front.operations.get('/internal/v1/clusters/c1')).body).toMatchObject({
        reachable: false,
      });
    }, WAIT);
    await openTarget();
    expect(await drain()).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('out of reach') },
    });
    expect((await drain({ force: true })).status).toBe(202);
    await isOver();
    await shows(tenant, id, { status: 'running', cluster_id: 'c2', runtime: { state: 'up', generation: 2 } });
    expect(from.runtimes.get(id)).toMatchObject({ phase: 'up', generation: 1 });
  });
});

it.each([
  ['an unknown cluster', 404, {}, 'c9'],
  ['an unknown cluster to go to', 404, { to: 'c9' }, 'c1'],
  ['the cluster itself', 409, { to: 'c1' }, 'c1'],
  ['a cluster that takes no instances', 409, { to: 'c2' }, 'c1'],
  ['a cluster of another region', 409, { to: 'us' }, 'c1'],
  ['a region without another active cluster', 409, {}, 'c1'],
  ['a word that is no truth', 422, { force: 'yes' }, 'c1'],
])('is refused for %s', async (_name, status, body, id) => {
  await front.database.query(
    `insert into clusters (id, host_id, region_id, engine) values ('us', gen_random_uuid(), 'us-1', 'docker')`,
  );
  expect((await drain(body, id)).status).toBe(status);
  expect((await front.operations.get('/internal/v1/clusters/c1')).body).toMatchObject({ is_active: true });
});
