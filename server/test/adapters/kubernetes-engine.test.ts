import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  KubernetesEngine,
  type KubernetesEngineOptions,
} from '../../src/adapters/kubernetes-engine/engine.ts';
import { nameOf } from '../../src/adapters/kubernetes-engine/names.ts';
import type { Minted, Observed, RuntimeSpec } from '../../src/runtimes/engine.port.ts';
import { FakeKubernetes } from '../support/fake-kubernetes/fake-kubernetes.ts';
import { silentLog } from '../support/log.ts';
import { specOf } from '../support/runtimes.ts';

const MINTED: Minted = {
  ENROLLMENT_TOKEN: 'minted-enrollment',
  PROXY_KEY: 'minted-proxy-key',
  MESSAGE_SECRET: 'minted-secret',
  LLM_API_KEY: 'minted-model-key',
};
const WAIT = { timeout: 60_000 };

let fake: FakeKubernetes;
let installation: string;
let following: AbortController;
let engines: KubernetesEngine[];
const seen = new Map<string, Observed>();
let lists: number;
let failures: unknown[];

beforeEach(async () => {
  fake = await FakeKubernetes.start({ bookmarkMs: 50 });
  installation = randomUUID();
  following = new AbortController();
  engines = [];
  seen.clear();
  lists = 0;
  failures = [];
});

afterEach(async () => {
  following.abort();
  await Promise.all(engines.map((engine) => engine.close()));
  await fake.close();
});

function open(more: Partial<KubernetesEngineOptions> = {}): KubernetesEngine {
  const engine = new KubernetesEngine({
    access: fake.access,
    installation,
    cluster: 'default',
    image: 'runtime:1',
    pull_policy: 'missing',
    start_timeout_ms: 60_000,
    orphanMs: 0,
    pace: { pauseMs: { first: 10, longest: 50 } },
    log: silentLog,
    ...more,
  });
  engines.push(engine);
  return engine;
}

async function follow(engine: KubernetesEngine): Promise<void> {
  const { signal } = following;
  while (!signal.aborted) {
    try {
      for await (const event of engine.watch(signal)) note(event);
    } catch (error) {
      if (signal.aborted) return;
      failures.push(error);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

function note(event: { all: readonly Observed[] } | Observed): void {
  if (!('all' in event)) return void seen.set(event.instance_id, event);
  lists++;
  seen.clear();
  for (const observed of event.all) seen.set(observed.instance_id, observed);
}

async function watched(more: Partial<KubernetesEngineOptions> = {}): Promise<KubernetesEngine> {
  const engine = open(more);
  void follow(engine);
  await vi.waitFor(() => expect(lists).toBe(1), WAIT);
  return engine;
}

const until = (id: string, expected: Partial<Observed>) =>
  vi.waitFor(() => expect(seen.get(id)).toMatchObject(expected), WAIT);

const mint = async () => MINTED;

async function started(engine: KubernetesEngine, more: Partial<RuntimeSpec> = {}): Promise<string> {
  const id = more.instance_id ?? randomUUID();
  const { generation = 1 } = more;
  await engine.ensure({ ...specOf(id), ...more }, mint);
  await vi.waitFor(() => expect(fake.store.pods.has(nameOf(id, generation))).toBe(true), WAIT);
  return id;
}

function setUp(id: string, generation = 1, isReady = true): void {
  const state = { running: {} };
  const containerStatuses = [{ name: 'runtime', started: true, ready: isReady, restartCount: 0, state }];
  const conditions = [
    { type: 'PodScheduled', status: 'True' },
    { type: 'Ready', status: isReady ? 'True' : 'False' },
  ];
  const status = { phase: 'Running', podIP: '10.1.2.3', conditions, containerStatuses };
  fake.store.changePod(nameOf(id, generation), { status });
}

function setWaiting(id: string, reason: string, message = ''): void {
  const containerStatuses = [{ name: 'runtime', state: { waiting: { reason, message } } }];
  fake.store.changePod(nameOf(id, 1), { status: { phase: 'Pending', containerStatuses } });
}

/** Rests that are noted and take no time, up to the eighth. */
function resting(first: number) {
  const rests: number[] = [];
  const rest = async (ms: number, signal: AbortSignal) => {
    rests.push(ms);
    if (rests.length === 8) await once(signal, 'abort');
    signal.throwIfAborted();
  };
  return { rests, pace: { pauseMs: { first, longest: 100_000 }, rest } };
}

const called = (call: RegExp) => fake.calls.filter((line) => call.test(line)).length;
const LIST = /^GET .*labelSelector=[^&]*&limit=/;

describe('what happened is seen again after', () => {
  test.each<[string, () => void]>([
    ['a watch that is cut', () => fake.watches.cut()],
    ['a watch that ends with 500', () => fake.watches.fail(500, 'InternalError')],
    ['a silent watch', () => fake.watches.silence('once')],
  ])('%s, without another list', async (_what, harm) => {
    const engine = await watched({ pace: { pauseMs: { first: 10, longest: 50 }, silenceMs: 500 } });
    const id = await started(engine);
    await until(id, { phase: 'starting' });
    harm();
    setUp(id);
    await until(id, { phase: 'up', ready: true, address: `https://10.1.2.3:8700#${id}` });
    expect([lists, failures]).toEqual([1, []]);
  });

  test('a version that is forgotten, by another list', async () => {
    const engine = await watched();
    const id = await started(engine);
    fake.watches.fail(410, 'Expired');
    setUp(id);
    await until(id, { phase: 'up' });
    await vi.waitFor(() => expect(lists).toBe(2), WAIT);
    fake.store.compact();
    fake.watches.cut();
    await vi.waitFor(() => expect(lists).toBe(3), WAIT);
    await until(id, { phase: 'up' });
    expect(failures).toEqual([]);
  });

  test('a token that is rotated, at once', async () => {
    const engine = await watched();
    fake.token = 'token-2';
    const id = await started(engine);
    fake.watches.cut();
    setUp(id);
    await until(id, { phase: 'up' });
    expect(failures).toEqual([]);
  });

  test('an API server that is away: the watch throws, and calls are made when it is back', async () => {
    const engine = await watched();
    const id = await started(engine);
    await fake.away();
    await vi.waitFor(() => expect(failures.length).toBeGreaterThan(0), WAIT);
    await engine.remove(id);
    const other = randomUUID();
    await engine.ensure(specOf(other), mint);
    await fake.listen();
    await until(other, { phase: 'starting', reason: null });
    await vi.waitFor(() => expect([...fake.store.pods.keys()]).toEqual([nameOf(other, 1)]), WAIT);
    await vi.waitFor(() => expect(fake.store.secrets.size).toBe(1), WAIT);
  });
});

test('a server that asks for patience gets it', async () => {
  const busy = { status: 429, message: 'too many', headers: { 'Retry-After': '1' } };
  fake.faults.plan(/labelSelector.*limit/, busy);
  const { rests, pace } = resting(10);
  const engine = await watched({ pace });
  expect([called(LIST), rests.length]).toEqual([2, 1]);
  expect(rests[0]).toBeGreaterThanOrEqual(1000);
  fake.faults.plan(/^POST .*pods/, busy);
  const id = await started(engine);
  await until(id, { phase: 'starting', reason: null });
  expect(called(/^POST .*pods/)).toBe(2);
  expect(failures).toEqual([]);
});

test('a server whose watches end at once is not asked again and again', async () => {
  const watch = fake.watches.open.bind(fake.watches);
  fake.watches.open = (query, response) => {
    watch(query, response);
    fake.watches.cut();
  };
  const { rests, pace } = resting(100);
  await watched({ pace });
  await vi.waitFor(() => expect(rests.length).toBeGreaterThanOrEqual(5), WAIT);
  for (const [index, ms] of rests.entries()) {
    expect(ms).toBeGreaterThanOrEqual(100 * 2 ** index);
    expect(ms).toBeLessThanOrEqual(125 * 2 ** index);
  }
  expect(lists).toBe(1);
});

test('a full list comes in pages and again after a while, and shows what the watch missed', async () => {
  for (let count = 0; count < 501; count++) {
    const labels = {
      'agent-control-plane.installation': installation,
      'agent-control-plane.instance': `i-${count}`,
      'agent-control-plane.generation': '1',
    };
    fake.store.createPod({ metadata: { name: `r-i-${count}-1`, labels } });
  }
  await watched({ pace: { listEveryMs: 1000, pauseMs: { first: 10, longest: 50 } } });
  expect(seen.size).toBe(501);
  expect(called(LIST)).toBe(2);
  fake.watches.silence('always');
  fake.store.removePod('r-i-7-1');
  await until('i-7', { phase: 'gone', reason: 'evicted' });
});

describe('a start', () => {
  test.each<[string, object, Partial<Observed>]>([
    [
      'a quota',
      { status: 403, message: 'exceeded quota: pods' },
      { phase: 'starting', reason: 'unschedulable' },
    ],
    ['missing rights', { status: 403, message: 'is forbidden' }, { phase: 'gone', reason: 'spec_rejected' }],
    [
      'a pod that is not valid',
      { status: 422, message: 'is invalid' },
      { phase: 'gone', reason: 'spec_rejected' },
    ],
    ['an error', { status: 500, message: 'etcd' }, { phase: 'starting', reason: 'cluster_unreachable' }],
  ])('that %s stops says so at once', async (_why, fault, expected) => {
    const engine = await watched();
    fake.faults.plan(/^POST .*pods/, fault as { status: number; message: string }, 1000);
    const id = randomUUID();
    await engine.ensure(specOf(id), mint);
    await until(id, expected);
    if (expected.phase === 'starting') {
      fake.faults.forget();
      await until(id, { phase: 'starting', reason: null });
    }
    await engine.remove(id);
    await until(id, { phase: 'gone', reason: null });
    await vi.waitFor(() => expect([fake.store.pods.size, fake.store.secrets.size]).toEqual([0, 0]), WAIT);
  });

  test('without room until its timeout leaves nothing', async () => {
    fake.quota = 0;
    const engine = await watched({ start_timeout_ms: 300 });
    const id = randomUUID();
    await engine.ensure(specOf(id), mint);
    await until(id, { phase: 'gone', reason: 'unschedulable' });
    expect([fake.store.pods.size, fake.store.secrets.size]).toEqual([0, 0]);
  });

  test.each(['secrets', 'pods'])('whose answer about %s is lost is not made twice', async (kind) => {
    const engine = await watched();
    fake.faults.plan(new RegExp(`^POST .*${kind}`), 'lost');
    const id = await started(engine);
    const { metadata } = fake.store.pods.get(nameOf(id, 1)) ?? {};
    expect(fake.store.secrets.get(nameOf(id, 1))?.metadata.uid).toBe(metadata?.ownerReferences?.[0]?.uid);
    expect([fake.store.pods.size, fake.store.secrets.size]).toEqual([1, 1]);
    await until(id, { phase: 'starting', reason: null });
  });

  test('after a try that died between secret and pod mints anew', async () => {
    const engine = await watched();
    const id = randomUUID();
    fake.store.createSecret({ metadata: { name: nameOf(id, 1) }, stringData: { PROXY_KEY: 'of the dead' } });
    await started(engine, { instance_id: id });
    expect(fake.store.secrets.get(nameOf(id, 1))?.stringData).toMatchObject(MINTED);
  });

  test('of a generation removes what former ones left', async () => {
    const engine = await watched();
    const id = randomUUID();
    fake.store.createSecret({ metadata: { name: nameOf(id, 2) } });
    await started(engine, { instance_id: id, generation: 3 });
    await vi.waitFor(() => expect([...fake.store.secrets.keys()]).toEqual([nameOf(id, 3)]), WAIT);
  });
});

describe('an image', () => {
  test('that is not found for a time ends its pod, and the next start makes another one', async () => {
    const engine = await watched({ notFoundMs: 100 });
    const id = await started(engine);
    setWaiting(id, 'ErrImagePull', 'manifest unknown');
    await until(id, { phase: 'starting', reason: 'image_pull_failed' });
    setWaiting(id, 'ImagePullBackOff', 'Back-off pulling image');
    await until(id, { phase: 'gone', reason: 'image_pull_failed', generation: 1 });
    await vi.waitFor(() => expect([fake.store.pods.size, fake.store.secrets.size]).toEqual([0, 0]), WAIT);
    await started(engine, { instance_id: id });
    await until(id, { phase: 'starting', reason: null });
  });

  test('that is pulled after all, or whose registry is away, is waited for', async () => {
    const engine = await watched({ notFoundMs: 100 });
    const [pulled, away, missing] = [await started(engine), await started(engine), await started(engine)];
    for (const id of [pulled, missing]) setWaiting(id, 'ErrImagePull', 'manifest unknown');
    setWaiting(away, 'ErrImagePull', 'lookup registry.test: no such host');
    setWaiting(pulled, 'ContainerCreating');
    await until(missing, { phase: 'gone', reason: 'image_pull_failed' });
    expect([seen.get(pulled), seen.get(away)]).toMatchObject([
      { phase: 'starting', reason: null },
      { phase: 'starting', reason: 'image_pull_failed' },
    ]);
    // It is told before its pod is deleted.
    await vi.waitFor(() => expect(fake.store.pods.size).toBe(2), WAIT);
  });
});

test('a lost node is told, and so is that the cluster gave its pod up; the next generation takes over', async () => {
  const engine = await watched();
  const id = await started(engine);
  setUp(id);
  await until(id, { phase: 'up', reason: null });
  fake.loseNode(nameOf(id, 1));
  await until(id, { phase: 'up', reason: 'node_lost' });
  fake.store.changePod(nameOf(id, 1), { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } });
  await until(id, { phase: 'gone', reason: 'node_lost' });
  await started(engine, { instance_id: id, generation: 2 });
  await until(id, { phase: 'starting', generation: 2, reason: null });
  // The node comes back, and its pod is still the older one.
  setUp(id, 1);
  setUp(id, 2);
  await until(id, { phase: 'up', generation: 2 });
});

test('an older pod of an instance is ended, and an evicted one is gone', async () => {
  const engine = await watched();
  const id = await started(engine);
  await started(engine, { instance_id: id, generation: 1 });
  const labels = {
    'agent-control-plane.installation': installation,
    'agent-control-plane.instance': id,
    'agent-control-plane.generation': '2',
  };
  fake.store.createPod({ metadata: { name: nameOf(id, 2), labels } });
  await until(id, { generation: 2 });
  await vi.waitFor(() => expect([...fake.store.pods.keys()]).toEqual([nameOf(id, 2)]), WAIT);
  await fake.evict(nameOf(id, 2));
  await until(id, { phase: 'gone', reason: 'evicted', generation: 2 });
});

test('readiness is told', async () => {
  const engine = await watched();
  const id = await started(engine);
  setUp(id, 1, false);
  await until(id, { phase: 'up', ready: false });
  setUp(id, 1, true);
  await until(id, { phase: 'up', ready: true });
});

test('credentials go only to a server of the given authority', async () => {
  const other = await FakeKubernetes.start();
  await other.away();
  const engine = open({ access: { ...fake.access, ca: other.access.ca } });
  void follow(engine);
  await vi.waitFor(() => expect(failures.length).toBeGreaterThan(0), WAIT);
  expect(fake.calls).toEqual([]);
});
