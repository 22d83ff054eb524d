import { randomInt, randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DockerEngine, type DockerEngineOptions } from '../../src/adapters/docker-engine/engine.ts';
import type { Observed, RuntimeSpec } from '../../src/runtimes/engine.port.ts';
import type { FakeDocker, FakeDockerOptions } from '../support/fake-docker/fake-docker.ts';
import { startFakeDocker } from '../support/fake-docker/routes.ts';
import { TEST_RUNTIME } from '../support/runtimes.ts';

const IMAGE = 'runtime:1';
const WAIT = { timeout: 60_000 };
const MINTED = {
  ENROLLMENT_TOKEN: 'minted-a',
  PROXY_KEY: 'minted-b',
  MESSAGE_SECRET: 'minted-c',
  LLM_API_KEY: 'minted-d',
};

let fake: FakeDocker;
let subnets: string;
const installation = randomUUID();
const tenant_id = randomUUID();
const log: string[] = [];
const engines: DockerEngine[] = [];
const watching = new Set<AbortController>();
const mint = vi.fn(async () => MINTED);

beforeEach(async () => {
  await begin();
});

afterEach(async () => {
  for (const one of watching) one.abort();
  await Promise.all(engines.splice(0).map((engine) => engine.close()));
  await fake.close();
  expect(log.join('\n')).not.toContain('minted-');
  log.length = 0;
  mint.mockClear();
});

async function restart(options: FakeDockerOptions): Promise<void> {
  await fake.close();
  await begin(options);
}

async function begin(options: FakeDockerOptions = {}): Promise<void> {
  fake = await startFakeDocker({ images: { [IMAGE]: TEST_RUNTIME }, ...options });
  subnets = `${fake.loopback.prefix}.${randomInt(0, 255)}.0/24`;
}

const write = (fields: object, message: string) => {
  const err = 'err' in fields ? String((fields.err as Error).stack) : '';
  log.push(`${message} ${JSON.stringify(fields)} ${err}`);
};

function open(options: Partial<DockerEngineOptions> = {}): DockerEngine {
  const engine = new DockerEngine({
    endpoint: fake.endpoint,
    installation,
    cluster: 'default',
    image: IMAGE,
    pull_policy: 'missing',
    subnets,
    start_timeout_ms: 30_000,
    service_name: 'service.test',
    log: { info: write, warn: write, error: write },
    ...options,
  });
  engines.push(engine);
  return engine;
}

const spec = (more: Partial<RuntimeSpec> = {}): RuntimeSpec => ({
  instance_id: 'one',
  tenant_id,
  generation: 1,
  cpu_millis: 100,
  memory_mib: 64,
  internet: false,
  hash: 'hash',
  environment: {},
  ...more,
});

/** Follows what an engine says, and how its watch ends. */
function watch(engine: DockerEngine) {
  const over = new AbortController();
  watching.add(over);
  const seen = new Map<string, Observed>();
  const told: Observed[] = [];
  let lists = 0;
  const ended = (async () => {
    for await (const event of engine.watch(over.signal)) {
      if ('all' in event) lists++;
      for (const observed of 'all' in event ? event.all : [event]) {
        seen.set(observed.instance_id, observed);
        told.push(observed);
      }
    }
  })();
  ended.catch(() => {});
  const until = (expected: Partial<Observed>, id = 'one') =>
    vi.waitFor(() => expect(seen.get(id)).toMatchObject(expected), WAIT);
  return { seen, told, ended, until, lists: () => lists };
}

function gate() {
  const events = new EventEmitter();
  return { opened: once(events, 'open'), open: () => events.emit('open') };
}

const nameOf = (id: string) => `acp-${installation.slice(0, 8)}-${id}`;
const callsOf = (pattern: RegExp) => fake.calls.filter((call) => pattern.test(call));
const networksOf = () => [...fake.networks.all.values()].map(({ Name }) => Name);

describe('a container', () => {
  it('is confined, whatever the specification says', async () => {
    const engine = open();
    const { until } = watch(engine);
    await engine.ensure(spec({ environment: { HOST: '1.2.3.4', TLS: 'off' } }), mint);
    await until({ phase: 'up' });
    const { wanted } = fake.find(nameOf('one'));
    const [network] = fake.networks.all.values();
    expect(wanted).toMatchObject({ Image: IMAGE, User: '10001', StopTimeout: 6 });
    expect(wanted.Env).toEqual(
      expect.arrayContaining(['HOST=0.0.0.0', 'PORT=8700', 'TLS=on', 'STATE_DIR=/state', 'INSTANCE_ID=one']),
    );
    expect(wanted.HostConfig).toMatchObject({
      ReadonlyRootfs: true,
      Tmpfs: { '/tmp': 'rw,noexec,nosuid,nodev,size=16m,mode=1777' },
      CapDrop: ['ALL'],
      SecurityOpt: ['no-new-privileges'],
      Privileged: false,
      PidsLimit: 128,
      Ulimits: [{ Name: 'nofile', Soft: 1024, Hard: 1024 }],
      IpcMode: 'private',
      CgroupnsMode: 'private',
      LogConfig: { Config: { 'max-size': '1m' } },
      RestartPolicy: { Name: 'no' },
      Memory: 64 * 1024 * 1024,
      MemorySwap: 64 * 1024 * 1024,
      NanoCpus: 250_000_000,
      NetworkMode: network?.Id,
      Mounts: [{ Type: 'volume', Source: nameOf('one'), Target: '/state' }],
    });
    expect(wanted.HostConfig).not.toHaveProperty('CapAdd');
    expect(wanted.HostConfig).not.toHaveProperty('Binds');
  });

  it('refuses NUL in a variable without saying its value', async () => {
    const engine = open();
    const { until } = watch(engine);
    await engine.ensure(spec({ environment: { WORD: 'minted-\0' } }), mint);
    await until({ phase: 'gone', reason: 'spec_rejected' });
  });

  it('keeps its volume while it is replaced, and loses it when it is removed', async () => {
    const engine = open();
    const { until, seen } = watch(engine);
    await engine.ensure(spec(), mint);
    await until({ phase: 'up' });
    const volume = fake.volumes.get(nameOf('one'));
    await fake.find(nameOf('one')).end('SIGKILL');
    await until({ phase: 'gone', reason: 'crashed', exit_code: null });
    await engine.ensure(spec({ generation: 2 }), mint);
    await until({ phase: 'up', generation: 2 });
    expect(fake.volumes.get(nameOf('one'))).toBe(volume);
    expect(mint).toHaveBeenCalledTimes(2);
    await engine.remove('one');
    await until({ phase: 'gone', reason: null });
    expect([fake.volumes.size, fake.containers.size, fake.networks.all.size]).toEqual([0, 0, 0]);
    expect(seen.get('one')?.address).toBeNull();
  });

  it('that is removed by hand is gone, and its volume stays for the next one', async () => {
    const engine = open();
    const { until, told } = watch(engine);
    await engine.ensure(spec(), mint);
    await until({ phase: 'up' });
    const volume = fake.volumes.get(nameOf('one'));
    const letGo = gate();
    fake.removing = letGo.opened;
    const removed = fake.remove(nameOf('one'));
    await until({ phase: 'ending' });
    letGo.open();
    await removed;
    await until({ phase: 'gone', reason: 'evicted' });
    await engine.ensure(spec({ generation: 2 }), mint);
    await until({ phase: 'up', generation: 2 });
    expect(fake.volumes.get(nameOf('one'))).toBe(volume);
    const ended = told.slice(told.findIndex(({ phase }) => phase === 'ending'));
    expect(ended.map(({ phase }) => phase)).toEqual(['ending', 'gone', 'starting', 'up']);
  });

  it('that is taken out of its network is connected to it again at the next full list', async () => {
    const engine = open({ listEveryMs: 200 });
    const { until, seen } = watch(engine);
    await engine.ensure(spec(), mint);
    await until({ phase: 'up' });
    const { address } = seen.get('one') ?? expect.unreachable();
    const container = fake.find(nameOf('one'));
    fake.takeOut(container);
    await vi.waitFor(() => expect(container.addresses.size).toBe(1), WAIT);
    await until({ phase: 'up', address });
    expect(mint).toHaveBeenCalledTimes(1);
  });

  it('that a copy is about to start is left to it', async () => {
    const [slow, other] = [open(), open()];
    const [one, two] = [watch(slow), watch(other)];
    const letGo = gate();
    fake.starting = letGo.opened;
    await slow.ensure(spec(), mint);
    await vi.waitFor(() => expect(fake.containers.size).toBe(1), WAIT);
    await other.ensure(spec(), mint);
    await vi.waitFor(() => expect(callsOf(/^GET .*one\/json/).length).toBeGreaterThan(3), WAIT);
    letGo.open();
    await Promise.all([one.until({ phase: 'up' }), two.until({ phase: 'up' })]);
    expect(mint).toHaveBeenCalledTimes(1);
    expect(callsOf(/^DELETE/)).toEqual([]);
  });

  it.each([409, 500])(
    'whose name is reserved, and that is not there yet, is waited for (%s)',
    async (status) => {
      const engine = open();
      const { until, told } = watch(engine);
      fake.faults.plan(/containers\/create/, { status, message: 'Conflict. The name is already in use' });
      await engine.ensure(spec(), mint);
      await until({ phase: 'up' });
      expect(told.map(({ phase }) => phase)).not.toContain('gone');
    },
  );

  it('that nobody starts is replaced', async () => {
    const engine = open();
    const { until } = watch(engine);
    const left = fake.create(nameOf('one'), {
      Image: IMAGE,
      Labels: { 'agent-control-plane.installation': installation, 'agent-control-plane.tenant': tenant_id },
    });
    await engine.ensure(spec(), mint);
    await until({ phase: 'up' });
    expect(fake.find(nameOf('one')).id).not.toBe(left.id);
  });
});

describe('a daemon that misbehaves', () => {
  it('ends its events: the watch ends, and the next one sees what happened', async () => {
    const engine = open();
    const first = watch(engine);
    await engine.ensure(spec(), mint);
    await first.until({ phase: 'up' });
    fake.cutEvents();
    await expect(first.ended).rejects.toThrow('The daemon');
    await fake.find(nameOf('one')).end('SIGKILL');
    expect(first.seen.get('one')?.phase).toBe('up');
    await watch(engine).until({ phase: 'gone', reason: 'crashed' });
  });

  it('forgets an event: the next full list has it', async () => {
    const engine = open({ listEveryMs: 100 });
    const { until, lists } = watch(engine);
    await engine.ensure(spec(), mint);
    await until({ phase: 'up' });
    fake.tell = () => {};
    await fake.find(nameOf('one')).end('SIGKILL');
    await until({ phase: 'gone', reason: 'crashed' });
    expect(lists()).toBeGreaterThan(1);
  });

  it.each<[string, Parameters<FakeDocker['faults']['plan']>]>([
    ['no list', [/^GET \/containers\/json/, { status: 500, message: 'busy' }, 1]],
    ['a reset for a list', [/^GET \/containers\/json/, 'reset', 1]],
    ['no events', [/^GET \/events/, { status: 503, message: 'busy' }, 1]],
    ['no version', [/^GET \/_ping/, 'reset', 1]],
  ])('has %s: the watch ends, and nothing is told', async (_, fault) => {
    fake.faults.plan(...fault);
    const { ended, told } = watch(open());
    await expect(ended).rejects.toThrow();
    expect(told).toEqual([]);
  });

  it('is too old, or no daemon', async () => {
    await restart({ api: '1.40' });
    await expect(watch(open()).ended).rejects.toThrow('1.41 is the oldest');
    await restart({ api: 'something' });
    await expect(watch(open()).ended).rejects.toThrow('No daemon of Docker');
  });

  it('is newer than this client: the newest known version is spoken', async () => {
    await restart({ api: '1.99' });
    const engine = open();
    const { until } = watch(engine);
    await engine.ensure(spec(), mint);
    await until({ phase: 'up' });
    expect(fake.versions).toEqual(new Set(['1.51']));
  });

  it.each(['create', 'start', 'json'])('loses its answers to %s: one runtime runs', async (call) => {
    const engine = open();
    const { until } = watch(engine);
    await vi.waitFor(() => expect(callsOf(/events/)).toHaveLength(1), WAIT);
    fake.faults.plan(new RegExp(`one.*${call}|/containers/${call}$`), 'lost', 2);
    await engine.ensure(spec(), mint);
    await until({ phase: 'up' });
    expect(fake.containers.size).toBe(1);
  });

  it('is away while a runtime starts: cluster_unreachable until it is back', async () => {
    const engine = open();
    await fake.away();
    const { ended } = watch(engine);
    await expect(ended).rejects.toThrow('The daemon does not answer');
    await engine.ensure(spec(), mint);
    await vi.waitFor(() => expect(log.join()).toContain('cluster_unreachable'), WAIT);
    await fake.listen();
    await watch(engine).until({ phase: 'up' });
  });

  it('is away for longer than a start may take: gone as cluster_unreachable', async () => {
    const engine = open({ start_timeout_ms: 300 });
    const { until } = watch(engine);
    await vi.waitFor(() => expect(callsOf(/containers\/json/)).toHaveLength(1), WAIT);
    fake.faults.plan(/one\/json/, 'reset', 1000);
    await engine.ensure(spec(), mint);
    await until({ phase: 'gone', reason: 'cluster_unreachable' });
    expect(mint).not.toHaveBeenCalled();
  });

  it.each<[string, { status: number; message: string }, Observed['reason']]>([
    [
      'refuses a start',
      { status: 400, message: 'exec: "x": executable file not found in $PATH' },
      'spec_rejected',
    ],
    [
      'refuses a start as Podman does',
      { status: 500, message: 'crun: executable file not found' },
      'spec_rejected',
    ],
    ['has no room', { status: 500, message: 'no space left on device' }, 'unschedulable'],
  ])('%s', async (_, fault, reason) => {
    const engine = open();
    const { until } = watch(engine);
    fake.faults.plan(/one\/start/, fault);
    await engine.ensure(spec(), mint);
    await until({ phase: 'gone', reason });
    expect(fake.containers.size).toBe(0);
  });
});

const other = (id: string) => spec({ instance_id: id, image: 'team/other:2' });

describe('an image', () => {
  it('is pulled once for all who wait for it, with the login of its registry', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'docker-config-'));
    const auths = { 'hub.test': { username: 'me', password: 'minted-login' } };
    await writeFile(join(directory, 'config.json'), JSON.stringify({ auths }));
    fake.registry.set('team/other:2', TEST_RUNTIME);
    const finish = gate();
    fake.pulling = finish.opened;
    const engine = open({ docker_config: directory });
    const { until } = watch(engine);
    for (const id of ['one', 'two', 'three']) await engine.ensure(other(id), mint);
    await vi.waitFor(() => expect(callsOf(/images\/team/)).toHaveLength(3), WAIT);
    finish.open();
    for (const id of ['one', 'two', 'three']) await until({ phase: 'up' }, id);
    expect(fake.logins.map((login) => Buffer.from(login ?? '', 'base64url').toString())).toEqual([
      JSON.stringify({ username: 'me', password: 'minted-login', serveraddress: 'https://hub.test/v1/' }),
    ]);
    await rm(directory, { recursive: true });
  });

  it('that is not found for a time is gone; the error stands inside a 200', async () => {
    const engine = open({ notFoundMs: 500 });
    const { until } = watch(engine);
    await engine.ensure(other('one'), mint);
    await until({ phase: 'starting', reason: 'image_pull_failed' });
    await until({ phase: 'gone', reason: 'image_pull_failed' });
    expect(mint).not.toHaveBeenCalled();
  });

  it('that is pushed meanwhile is taken', async () => {
    const engine = open();
    const { until } = watch(engine);
    await engine.ensure(other('one'), mint);
    await until({ phase: 'starting', reason: 'image_pull_failed' });
    fake.registry.set('team/other:2', TEST_RUNTIME);
    await until({ phase: 'up' });
  });

  it('is never pulled, or always', async () => {
    const never = open({ pull_policy: 'never', notFoundMs: 1 });
    const { until } = watch(never);
    fake.registry.set('team/other:2', TEST_RUNTIME);
    await never.ensure(other('one'), mint);
    await until({ phase: 'gone', reason: 'image_pull_failed' });
    expect(callsOf(/images\/create/)).toEqual([]);
    const always = open({ pull_policy: 'always' });
    fake.registry.set(IMAGE, TEST_RUNTIME);
    await always.ensure(spec({ instance_id: 'two' }), mint);
    await until({ phase: 'up' }, 'two');
    expect(callsOf(/images\/create/)).toHaveLength(1);
  });
});

describe('a network', () => {
  it('is each tenant’s own, internal, and goes with its last container', async () => {
    const engine = open();
    const { until } = watch(engine);
    await engine.ensure(spec(), mint);
    await engine.ensure(spec({ instance_id: 'two' }), mint);
    await engine.ensure(spec({ instance_id: 'three', tenant_id: 'other' }), mint);
    for (const id of ['one', 'two', 'three']) await until({ phase: 'up' }, id);
    expect(networksOf().toSorted()).toEqual([nameOf(tenant_id), nameOf('other')].toSorted());
    expect([...fake.networks.all.values()].every(({ Internal }) => Internal)).toBe(true);
    await engine.remove('one');
    await until({ phase: 'gone' });
    expect(networksOf()).toContain(nameOf(tenant_id));
    await engine.remove('two');
    await until({ phase: 'gone' }, 'two');
    expect(networksOf()).toEqual([nameOf('other')]);
  });

  it('takes the next subnet when the daemon says that one overlaps, and none is unschedulable', async () => {
    const base = subnets.replace(/\.0\/24$/, '');
    for (const half of ['0', '128']) fake.networks.foreign.add(`${base}.${half}/25`);
    const engine = open();
    const { until } = watch(engine);
    await engine.ensure(spec(), mint);
    await until({ phase: 'gone', reason: 'unschedulable' });
    expect(callsOf(/networks\/create/)).toHaveLength(2);
    fake.networks.foreign.clear();
    fake.networks.foreign.add(`${base}.0/25`);
    await engine.ensure(spec(), mint);
    await until({ phase: 'up' });
    expect([...fake.networks.all.values()][0]?.IPAM.Config[0]?.Subnet).toBe(`${base}.128/25`);
  });

  it('has the service at its gateway, where the service is no container', async () => {
    const engine = open();
    const { until } = watch(engine);
    await engine.ensure(spec(), mint);
    await until({ phase: 'up' });
    const [network] = fake.networks.all.values();
    expect(fake.find(nameOf('one')).wanted.HostConfig?.ExtraHosts).toEqual([
      `service.test:${network?.IPAM.Config[0]?.Gateway}`,
    ]);
    expect(network?.Options).toEqual({});
  });

  it('is closed towards the machine where the service is a container, which joins it by its name', async () => {
    const service = fake.create('service', { Image: IMAGE });
    const hostname = service.id.slice(0, 12);
    const engine = open({ hostname });
    const { until } = watch(engine);
    await engine.ensure(spec(), mint);
    await until({ phase: 'up' });
    const [network] = fake.networks.all.values();
    expect(network?.Options).toEqual({ 'com.docker.network.bridge.gateway_mode_ipv4': 'isolated' });
    expect(fake.networks.endpoints).toContainEqual({
      network: network?.Id,
      container: service.id,
      aliases: ['service.test'],
    });
    expect(fake.find(nameOf('one')).wanted.HostConfig?.ExtraHosts).toEqual([]);

    // An update: a new container of the service joins what there is.
    fake.networks.disconnect(service.id);
    const updated = fake.create('service-2', { Image: IMAGE });
    const next = open({ hostname: updated.id.slice(0, 12) });
    const after = watch(next);
    await after.until({ phase: 'up' });
    expect(fake.networks.endpoints).toContainEqual(expect.objectContaining({ container: updated.id }));
    await next.remove('one');
    await after.until({ phase: 'gone' });
    expect(networksOf()).toEqual([]);
  });

  it('of a tenant whose last container went unseen goes when the daemon is watched next', async () => {
    const engine = open({ subnets: subnets.replace('/24', '/16') });
    const { until } = watch(engine);
    await engine.ensure(spec({ internet: true }), mint);
    await engine.ensure(spec({ instance_id: 'two', tenant_id: 'other' }), mint);
    for (const id of ['one', 'two']) await until({ phase: 'up' }, id);
    await engine.close();
    await fake.remove(nameOf('one'));
    expect(networksOf()).toHaveLength(3);
    await watch(open()).until({ phase: 'up' }, 'two');
    expect(networksOf()).toEqual([nameOf('other')]);
  });

  it.each(['create', 'start'])('that goes away before the %s is made anew', async (call) => {
    const engine = open();
    const { until } = watch(engine);
    fake.faults.plan(new RegExp(`containers/.*${call}$`), { status: 404, message: 'network abc not found' });
    await engine.ensure(spec(), mint);
    await until({ phase: 'up' });
    expect(fake.containers.size).toBe(1);
  });

  it('with a way out is a second one, without a way to others of it', async () => {
    const engine = open();
    const { until } = watch(engine);
    await engine.ensure(spec({ internet: true }), mint);
    await until({ phase: 'up' });
    const outside = fake.networks.find(`${nameOf(tenant_id)}-internet`);
    expect(outside).toMatchObject({
      Internal: false,
      Options: { 'com.docker.network.bridge.enable_icc': 'false' },
    });
    expect(fake.networks.endpoints.map(({ network }) => network)).toContain(outside?.Id);
    await engine.remove('one');
    await until({ phase: 'gone', reason: null });
    expect(networksOf()).toEqual([]);
  });
});
