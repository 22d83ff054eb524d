import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { keepLease, renewLeases, takeLease } from '../../src/runtimes/leases.db.ts';
import { ClusterService, metricOf } from '../support/cluster-service.ts';
import { FakeCluster } from '../support/fake-cluster.ts';
import { gate } from '../support/hold.ts';
import type { TestService, TestTenant } from '../support/service.ts';

const PATIENT = { timeout: 60_000, interval: 50 };
const NEVER = 3_600_000;

let cluster: FakeCluster;
let clusters: ClusterService;
let front: TestService;
let tenant: TestTenant;

beforeEach(async () => {
  cluster = new FakeCluster();
  clusters = await ClusterService.start('docker');
  ({ front, tenant } = clusters);
});
afterEach(async () => {
  vi.useRealTimers();
  await clusters.close();
});

interface Copy {
  leasesMs?: number;
  openEngine?: () => ReturnType<FakeCluster['open']>;
}

const startCopy = ({ openEngine = () => cluster.open(), ...options }: Copy = {}) =>
  clusters.startCopy({ openEngine, ...options });
const startHolder = ({ openEngine = () => cluster.open(), ...options }: Copy = {}) =>
  clusters.startHolder({ openEngine, ...options });

const expireLease = () => front.database.query(`update clusters set lease_until = now() where id = 'c1'`);

const tokens = async (id: string) => {
  const read = 'select count(*)::int as count from enrollment_tokens where instance_id = $1';
  return (await front.database.query<{ count: number }>(read, [id]))[0]?.count;
};

it('a copy that stops ends no runtime of its cluster, and another one has it at once', async () => {
  const holder = await startHolder();
  const [id = ''] = await clusters.running();
  expect(await metricOf(holder, 'acp_runtime_start_seconds_count{engine="docker"}')).toBe(1);
  expect(await metricOf(holder, 'acp_reconcile_seconds_count')).toBeGreaterThan(0);
  const next = await startCopy();
  await clusters.stopCopy(holder);
  await clusters.holds(next);
  expect(cluster.runtimes.get(id)).toMatchObject({ phase: 'up', generation: 1 });
  await clusters.stop(id);
  await clusters.shows(id, { status: 'stopped', runtime: { state: 'absent' } });
  expect([cluster.made.length, cluster.removed]).toEqual([1, [id]]);
});

it('of several copies that want a lease one gets it', async () => {
  const { system } = front.service.services.db;
  const taken = await Promise.all(Array.from({ length: 8 }, () => system.run(takeLease(randomUUID(), null))));
  expect(taken.filter((one) => one !== undefined)).toMatchObject([{ id: 'c1', host_id: clusters.host_id }]);
  expect(await system.run(takeLease(randomUUID(), null))).toBeUndefined();
  await expireLease();
  expect(await system.run(takeLease(randomUUID(), ['c2']))).toBeUndefined();
  expect(await system.run(takeLease(randomUUID(), ['c1', 'c2']))).toMatchObject({ id: 'c1' });
});

it('a lease is not taken while its holder makes credentials', async () => {
  const { db } = front.service.services;
  await db.tenant(tenant.tenant_id).transaction(async (tx) => {
    await tx.run(keepLease({ host_id: clusters.host_id, holder: randomUUID() }));
    expect(await db.system.run(takeLease(randomUUID(), null))).toBeUndefined();
  });
  expect(await db.system.run(takeLease(randomUUID(), null))).toMatchObject({ id: 'c1' });
});

it('a sight of a cluster whose settings have changed meanwhile is not noted', async () => {
  const { system } = front.service.services.db;
  const holder = randomUUID();
  const { settings_hash = '' } = (await system.run(takeLease(holder, null))) ?? {};
  const change = `update clusters set endpoint = $1 where id = 'c1'`;
  await front.database.query(change, ['unix:///other']);
  const sights = { c1: { settings_hash, reachable: true } };
  expect(await system.run(renewLeases(holder, sights))).toMatchObject([{ endpoint: 'unix:///other' }]);
  await clusters.clusterShows({ reachable: null, is_seen: null });
  await front.database.query(change, [null]);
  await system.run(renewLeases(holder, sights));
  await clusters.clusterShows({ reachable: true, is_seen: true });
});

it('a lease from before the clock was set back does not last for longer', async () => {
  const dead = `update clusters set lease_holder = $1, lease_until = now() + interval '1 hour' where id = 'c1'`;
  await front.database.query(dead, [randomUUID()]);
  await startHolder();
  await clusters.running();
});

/** A holder that never renews its lease, and whose starts wait: `before` or `after` it made their credentials. */
async function startFrozen(where: 'before' | 'after') {
  const [held, ended] = [gate(), gate()];
  const open = () => {
    const engine = cluster.open(where === 'after' ? { beforeCreate: held.pass } : {});
    const ensure: typeof engine.ensure = async (spec, mint) => {
      if (where === 'before') await held.pass();
      await engine.ensure(spec, mint);
      ended.goOn();
    };
    return { ...engine, ensure };
  };
  await startHolder({ leasesMs: NEVER, openEngine: open });
  const thaw = async () => {
    held.goOn();
    await ended.pass();
  };
  return { reached: held.reached, thaw };
}

it('a holder that was frozen for longer than its lease makes no credentials', async () => {
  const frozen = await startFrozen('before');
  const [id = ''] = await clusters.deploy();
  await frozen.reached;
  await expireLease();
  await frozen.thaw();
  expect([cluster.made, await tokens(id)]).toEqual([[], 0]);
  await clusters.holds(await startCopy());
  await clusters.shows(id, { status: 'running', runtime: { state: 'up', generation: 2 } });
  expect(await tokens(id)).toBe(1);
});

it.each(['before', 'after'] as const)(
  'the call of a former holder that arrives %s the start by its successor leaves one runtime, of the newer generation',
  async (order) => {
    const frozen = await startFrozen('after');
    const [id = ''] = await clusters.deploy();
    await frozen.reached;
    await expireLease();
    const next = gate();
    const open = () => {
      const engine = cluster.open();
      const ensure: typeof engine.ensure = async (spec, mint) => {
        if (order === 'before') await next.pass();
        await engine.ensure(spec, mint);
      };
      return { ...engine, ensure };
    };
    await clusters.holds(await startCopy({ openEngine: open }));
    if (order === 'before') await next.reached;
    else await clusters.shows(id, { runtime: { state: 'up', generation: 2 } });
    await frozen.thaw();
    next.goOn();
    await clusters.shows(id, { status: 'running', runtime: { state: 'up', generation: 2 } });
    await vi.waitFor(
      () => expect(cluster.runtimes.get(id)).toMatchObject({ phase: 'up', generation: 2 }),
      PATIENT,
    );
    expect(cluster.made.map(({ generation }) => generation)).toEqual(order === 'before' ? [1, 2] : [2]);
  },
);

it('a cluster that is away changes nothing, and what was asked meanwhile follows', async () => {
  await startHolder();
  const [stopped = '', kept = ''] = await clusters.running(2);
  await clusters.clusterShows({ reachable: true, is_seen: true });
  cluster.isAway = true;
  await clusters.clusterShows({ reachable: false });
  await clusters.stop(stopped);
  const [late = ''] = await clusters.deploy();
  await clusters.shows(late, { runtime: { state: 'starting', reason: null } });
  await front.database.query(
    `update runtimes set since = now() - interval '5 minutes' where instance_id = $1`,
    [late],
  );
  await clusters.shows(late, { runtime: { state: 'absent', reason: 'cluster_unreachable' } });
  await clusters.shows(kept, { status: 'running', runtime: { state: 'up', reason: null } });
  await clusters.shows(stopped, { status: 'running', runtime: { state: 'up' } });
  expect(cluster.removed).toEqual([]);
  cluster.isAway = false;
  await clusters.clusterShows({ reachable: true, is_seen: true });
  await clusters.shows(stopped, { status: 'stopped' });
  await clusters.shows(late, { status: 'failed' });
  expect([cluster.removed, cluster.runtimes.size]).toEqual([[stopped], 1]);
});

it.each([
  ['evicted', { reason: 'evicted' }],
  ['lost with its node', { reason: 'node_lost' }],
  ['refused its identity later', { reason: 'crashed', exit_code: 75 }],
] as const)('a runtime that is %s is replaced in the next generation', async (_, change) => {
  await startHolder();
  const [id = ''] = await clusters.running();
  cluster.lose(id, change);
  await clusters.shows(id, { status: 'running', runtime: { state: 'up', reason: null, generation: 2 } });
  expect(cluster.made.map(({ generation }) => generation)).toEqual([1, 2]);
});

it('messages wait while the node of their runtime is silent, and go on when it is back', async () => {
  const { runtimes } = await startHolder();
  const [id = ''] = await clusters.running();
  const well = cluster.runtimes.get(id) ?? expect.unreachable();
  cluster.put(id, { ...well, reason: 'node_lost' });
  await clusters.shows(id, { runtime: { state: 'lost', reason: 'node_lost' } });
  expect((await tenant.api.post(`/v1/instances/${id}/playground`, { text: 'hello' })).status).toBe(202);
  await vi.waitFor(async () => {
    const [message] = await front.database.query('select last_error, status from channel_messages');
    expect(message).toEqual({ last_error: 'The instance has no runtime', status: 'pending' });
  }, PATIENT);
  cluster.put(id, well);
  await vi.waitFor(() => expect(runtimes.messages).toHaveLength(1), PATIENT);
});

it('a first start that is refused its identity fails', async () => {
  await startHolder();
  const put = vi.spyOn(cluster, 'put');
  put.mockImplementation((instance_id, change) => {
    put.mockRestore();
    cluster.put(instance_id, { ...change, phase: 'gone', address: null, reason: 'crashed', exit_code: 75 });
  });
  const [id = ''] = await clusters.deploy();
  await clusters.shows(id, { status: 'failed' });
  expect(await clusters.taskError(id)).toBe('The runtime was refused its identity');
  await vi.waitFor(() => expect(cluster.runtimes.size).toBe(0), PATIENT);
});

/** A full list each minute, until then. */
async function listUntil(then: () => Promise<void>): Promise<void> {
  vi.useFakeTimers({ toFake: ['performance'] });
  await vi.waitFor(async () => {
    cluster.list();
    await clusters.renewed();
    vi.advanceTimersByTime(60_000);
    await clusters.renewed();
    await then();
  }, PATIENT);
}

describe('runtimes without an instance here', () => {
  it('stay where they are more than a tenth, as after a restore', async () => {
    const holder = await startHolder();
    const [id = ''] = await clusters.running();
    for (let count = 0; count < 20; count++) cluster.put(randomUUID());
    expect(await metricOf(holder, 'acp_sweeps_refused_total')).toBe(0);
    await listUntil(async () =>
      expect(await metricOf(holder, 'acp_sweeps_refused_total')).toBeGreaterThan(0),
    );
    expect([cluster.removed, cluster.runtimes.size]).toEqual([[], 21]);
    await clusters.shows(id, { runtime: { state: 'up', generation: 1 } });
  });

  it('are removed where they are few', async () => {
    await startHolder();
    const ids = await clusters.running(10);
    const stranger = randomUUID();
    cluster.put(stranger);
    await listUntil(async () => expect(cluster.removed).toEqual([stranger]));
    expect([...cluster.runtimes.keys()].toSorted()).toEqual(ids.toSorted());
  });
});

it('a cluster whose settings changed is opened anew, and wrong ones count as out of reach', async () => {
  await startHolder();
  const [id = ''] = await clusters.running();
  await clusters.clusterShows({ reachable: true });
  cluster.openError = new Error('wrong');
  await front.database.query(`update clusters set endpoint = 'unix:///other' where id = 'c1'`);
  await clusters.clusterShows({ reachable: false });
  cluster.openError = undefined;
  await front.database.query(`update clusters set endpoint = null where id = 'c1'`);
  await clusters.clusterShows({ reachable: true });
  expect(cluster.opened).toBe(2);
  await clusters.shows(id, { runtime: { state: 'up', generation: 1 } });
});

it('each copy is present at all clusters, also at those that it may not hold', async () => {
  const [opened, closed]: [unknown[], unknown[]] = [[], []];
  const openPresence = ({ id, endpoint }: { id: string; endpoint: string | null }) => {
    opened.push([id, endpoint]);
    return { close: async () => void closed.push([id, endpoint]) };
  };
  const openEngine = () => cluster.open();
  const copy = await clusters.startCopy({ openEngine, openPresence, clusters: [] });
  const sees = (expected: [unknown[], unknown[]]) =>
    vi.waitFor(() => expect([opened, closed]).toEqual(expected), PATIENT);
  await sees([[['c1', null]], []]);
  await front.database.query(`update clusters set endpoint = 'unix:///other' where id = 'c1'`);
  const both = [
    ['c1', null],
    ['c1', 'unix:///other'],
  ];
  await sees([both, [['c1', null]]]);
  await clusters.stopCopy(copy);
  expect([opened, closed, cluster.opened]).toEqual([both, both, 0]);
});
