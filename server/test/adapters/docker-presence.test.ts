import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { DockerEngine } from '../../src/adapters/docker-engine/engine.ts';
import { DockerPresence } from '../../src/adapters/docker-engine/presence.ts';
import { dockerBed } from '../engines/docker-bed.ts';
import type { FakeContainer } from '../support/fake-docker/fake-container.ts';
import type { FakeDocker } from '../support/fake-docker/fake-docker.ts';
import { startFakeDocker } from '../support/fake-docker/routes.ts';
import { silentLog } from '../support/log.ts';
import { specOf, TEST_RUNTIME } from '../support/runtimes.ts';

const IMAGE = 'runtime:1';
const WAIT = { timeout: 60_000 };
const mint = async () => ({ ENROLLMENT_TOKEN: 'a', PROXY_KEY: 'b', MESSAGE_SECRET: 'c', LLM_API_KEY: 'd' });

let fake: FakeDocker;
let installation: string;
/** The engine of the copy that has the cluster. */
let engine: DockerEngine;
/** The container of another copy. */
let other: FakeContainer;
let watching: AbortController;
const presences: DockerPresence[] = [];
const events: unknown[] = [];

const hostnameOf = ({ id }: FakeContainer) => id.slice(0, 12);

beforeEach(async () => {
  fake = await startFakeDocker({ images: { [IMAGE]: TEST_RUNTIME } });
  const subnets = `${fake.loopback.prefix}.0.0/16`;
  const docker = dockerBed({ endpoint: fake.endpoint, image: IMAGE, subnets });
  ({ installation } = docker);
  engine = docker.bed.open({ hostname: hostnameOf(fake.create('holder', { Image: IMAGE })) });
  other = fake.create('other', { Image: IMAGE });
  watching = new AbortController();
  follow().catch(() => {});
});

afterEach(async () => {
  watching.abort();
  await Promise.all(presences.splice(0).map((presence) => presence.close()));
  await engine.close();
  await fake.close();
});

async function follow(): Promise<void> {
  for await (const event of engine.watch(watching.signal)) events.push(event);
}

function present(hostname = hostnameOf(other), lookEveryMs = 3_600_000): DockerPresence {
  const { endpoint } = fake;
  const names = { installation, cluster: 'default', service_name: 'service.test', hostname };
  const presence = new DockerPresence({ endpoint, ...names, log: silentLog, firstPauseMs: 10, lookEveryMs });
  presences.push(presence);
  return presence;
}

async function start(tenant_id: string): Promise<string> {
  const id = randomUUID();
  await engine.ensure({ ...specOf(id), tenant_id }, mint);
  return id;
}

/** Names of the networks that the other copy is in. */
const joined = () =>
  fake.networks.endpoints.flatMap(({ container, network, aliases }) =>
    container === other.id && aliases.includes('service.test') ? fake.networks.find(network)?.Name : [],
  );

const isIn = (...tenants: string[]) =>
  vi.waitFor(() => {
    expect(joined()).toHaveLength(tenants.length);
    for (const tenant of tenants) expect(joined()).toContainEqual(expect.stringContaining(tenant));
  }, WAIT);

it('a copy joins the networks that another copy has made and makes, and leaves them with the last runtime', async () => {
  const one = await start('tenant-1');
  await vi.waitFor(() => expect(fake.networks.all.size).toBe(1), WAIT);
  present();
  await isIn('tenant-1');
  await start('tenant-2');
  await isIn('tenant-1', 'tenant-2');
  await engine.remove(one);
  await isIn('tenant-2');
  await vi.waitFor(() => expect(fake.networks.all.size).toBe(1), WAIT);
});

it('a copy that joins a network while it is removed does not keep it', async () => {
  const id = await start('tenant-1');
  present();
  await isIn('tenant-1');
  const [network] = fake.networks.all.values();
  const remove = fake.networks.delete.bind(fake.networks);
  fake.networks.delete = (name) => {
    fake.networks.delete = remove;
    fake.networks.connect(name, other.id, ['service.test']);
    remove(name);
  };
  await engine.remove(id);
  await vi.waitFor(() => expect(fake.networks.all.has(network?.Id ?? '')).toBe(false), WAIT);
});

it('a daemon that was away is joined when it is back', async () => {
  await fake.away();
  present();
  await fake.listen();
  await start('tenant-1');
  await isIn('tenant-1');
  fake.cutEvents();
  await start('tenant-2');
  await isIn('tenant-1', 'tenant-2');
});

it('a network of which no event tells is joined at the next look', async () => {
  fake.tellNetwork = () => {};
  present(hostnameOf(other), 100);
  await vi.waitFor(() => expect(fake.calls.filter((call) => call === 'GET /events')).toHaveLength(2), WAIT);
  await start('tenant-1');
  await isIn('tenant-1');
});

it('a copy that is no container of the daemon joins nothing', async () => {
  await start('tenant-1');
  await vi.waitFor(() => expect(fake.networks.all.size).toBe(1), WAIT);
  present('a-machine');
  const stranger = present('0123456789ab');
  await vi.waitFor(() => expect(fake.calls).toContain('GET /containers/0123456789ab/json'), WAIT);
  await stranger.close();
  expect(fake.calls).not.toContain('GET /containers/a-machine/json');
  expect(joined()).toEqual([]);
});
