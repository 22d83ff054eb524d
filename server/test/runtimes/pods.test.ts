import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  KubernetesEngine,
  type KubernetesEngineOptions,
} from '../../src/adapters/kubernetes-engine/engine.ts';
import { nameOf } from '../../src/adapters/kubernetes-engine/names.ts';
import type { HeldCluster } from '../../src/runtimes/place.port.ts';
import { ClusterService, metricOf } from '../support/cluster-service.ts';
import { FakeKubernetes } from '../support/fake-kubernetes/fake-kubernetes.ts';
import { silentLog } from '../support/log.ts';
import { TEST_RUNTIME } from '../support/runtimes.ts';

const IMAGE = 'runtime:1';
const CRASHES = 'crashes:1';
const PATIENT = { timeout: 60_000, interval: 50 };

let fake: FakeKubernetes;
let clusters: ClusterService;

beforeEach(async () => {
  const images = { [IMAGE]: TEST_RUNTIME, [CRASHES]: [process.execPath, '-e', 'process.exit(3)'] };
  fake = await FakeKubernetes.start({ images, restartMs: 10, bookmarkMs: 100 });
  clusters = await ClusterService.start('kubernetes');
});
afterEach(async () => {
  vi.useRealTimers();
  await clusters.close();
  await fake.close();
});

type Change = Partial<KubernetesEngineOptions>;

const opened =
  (change: Change = {}) =>
  ({ installation, id: cluster }: HeldCluster) =>
    new KubernetesEngine({
      access: fake.access,
      installation,
      cluster,
      image: IMAGE,
      pull_policy: 'missing',
      start_timeout_ms: 60_000,
      pace: { pauseMs: { first: 10, longest: 100 } },
      log: silentLog,
      ...change,
    });

const hold = (change?: Change) => clusters.startHolder({ openEngine: opened(change) });

const podsAre = (...names: string[]) =>
  vi.waitFor(() => {
    expect([...fake.store.pods.keys()].toSorted()).toEqual(names.toSorted());
    expect([...fake.store.secrets.keys()].toSorted()).toEqual(names.toSorted());
  }, PATIENT);

/** A first start ends so, and nothing is left of it. */
async function fails(id: string, error: string): Promise<void> {
  await clusters.shows(id, { status: 'failed' });
  expect(await clusters.taskError(id)).toBe(error);
  await podsAre();
}

describe('a first start fails', () => {
  it('when its image is not found for a time', async () => {
    const start = fake.store.changePod.bind(fake.store);
    fake.store.changePod = (name, change) => {
      const [container] = change.status?.containerStatuses ?? [];
      const waiting = container?.state?.waiting;
      if (waiting?.reason === 'ErrImagePull') waiting.message = 'manifest unknown';
      start(name, change);
    };
    await hold({ image: 'nowhere:1', notFoundMs: 300 });
    const [id = ''] = await clusters.deploy();
    await fails(id, 'The image of the runtime could not be fetched');
  });

  it('when the quota has no room until the timeout', async () => {
    fake.quota = 0;
    await hold();
    const [id = ''] = await clusters.deploy();
    await clusters.shows(id, { runtime: { state: 'starting', reason: 'unschedulable' } });
    await clusters.front.database.query(
      `update runtimes set since = now() - interval '10 minutes' where instance_id = $1`,
      [id],
    );
    await fails(id, 'No place had room for the runtime');
  });

  it('after four crashes', async () => {
    await hold({ image: CRASHES });
    const [id = ''] = await clusters.deploy();
    await fails(id, 'The runtime ended by itself');
  });

  it('when something else has its name, which stays', async () => {
    await hold();
    const create = fake.store.createSecret.bind(fake.store);
    let name = '';
    fake.store.createSecret = (secret) => {
      ({ name = '' } = secret.metadata);
      if (!fake.store.pods.has(name)) fake.store.createPod({ metadata: { name } });
      return create(secret);
    };
    const [id = ''] = await clusters.deploy();
    await clusters.shows(id, { status: 'failed' });
    expect(await clusters.taskError(id)).toBe('The name of the runtime is taken by something else');
    expect([...fake.store.pods.keys()]).toEqual([name]);
  });
});

describe('a runtime that was up', () => {
  it('is restarted in place without end, after crashes and without memory', async () => {
    await hold();
    const [id = ''] = await clusters.running();
    for (let restarts = 1; restarts <= 5; restarts++) {
      await fake.kubelet?.outOfMemory(nameOf(id, 1));
      await clusters.shows(id, { status: 'running', runtime: { state: 'up', restarts, generation: 1 } });
    }
  });

  it.each<[string, (name: string) => unknown]>([
    ['deleted by hand or drained', (name) => fake.deletePod(name)],
    ['evicted', (name) => fake.evict(name)],
  ])('is replaced when it is %s, and its messages go to the next one', async (_, harm) => {
    const { runtimes } = await hold();
    const [id = ''] = await clusters.running();
    await harm(nameOf(id, 1));
    const asked = await clusters.tenant.api.post(`/v1/instances/${id}/playground`, { text: 'hello' });
    expect(asked.status).toBe(202);
    await clusters.shows(id, { runtime: { state: 'up', reason: null, generation: 2 } });
    await podsAre(nameOf(id, 2));
    await vi.waitFor(() => expect(runtimes.messages).toHaveLength(1), PATIENT);
  });

  it('is lost with its node, and replaced once the cluster gives it up', async () => {
    await hold();
    const [id = ''] = await clusters.running();
    fake.loseNode(nameOf(id, 1));
    await clusters.shows(id, { status: 'running', runtime: { state: 'lost', reason: 'node_lost' } });
    fake.deletePod(nameOf(id, 1));
    await clusters.shows(id, { runtime: { state: 'up', reason: null, generation: 2 } });
  });

  it('stays as it is while the cluster is away, and what was asked meanwhile follows', async () => {
    await hold();
    const [stopped = '', kept = ''] = await clusters.running(2);
    await clusters.clusterShows({ reachable: true });
    await fake.away();
    await clusters.clusterShows({ reachable: false });
    await clusters.stop(stopped);
    await clusters.shows(kept, { runtime: { state: 'up', reason: null } });
    await fake.listen();
    await clusters.shows(stopped, { status: 'stopped' });
    await podsAre(nameOf(kept, 1));
    await clusters.shows(kept, { runtime: { state: 'up', generation: 1 } });
  });

  it('stays when another copy has the cluster', async () => {
    const holder = await hold();
    const [id = ''] = await clusters.running();
    const next = await clusters.startCopy({ openEngine: opened() });
    await clusters.stopCopy(holder);
    await clusters.holds(next);
    await clusters.shows(id, { runtime: { state: 'up', generation: 1 } });
    await clusters.stop(id);
    await clusters.shows(id, { status: 'stopped' });
    await podsAre();
  });
});

it('pods that a database of yesterday does not know stay where they are many', async () => {
  const holder = await hold({ pace: { listEveryMs: 1000, pauseMs: { first: 10, longest: 100 } } });
  const [id = ''] = await clusters.running();
  const { labels = {} } = fake.store.pods.get(nameOf(id, 1))?.metadata ?? {};
  for (let count = 0; count < 20; count++) {
    const instance = randomUUID();
    const own = { ...labels, 'agent-control-plane.instance': instance };
    fake.store.createPod({ metadata: { name: nameOf(instance, 1), labels: own } });
  }
  expect(await metricOf(holder, 'acp_sweeps_refused_total')).toBe(0);
  vi.useFakeTimers({ toFake: ['performance'] });
  await vi.waitFor(async () => {
    await clusters.renewed();
    vi.advanceTimersByTime(60_000);
    await clusters.renewed();
    expect(await metricOf(holder, 'acp_sweeps_refused_total')).toBeGreaterThan(0);
  }, PATIENT);
  expect(fake.store.pods.size).toBe(21);
  await clusters.shows(id, { runtime: { state: 'up', generation: 1 } });
});
