import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { freePort } from '../bench/src/ports.ts';
import { startFakeDocker } from '../server/test/support/fake-docker/routes.ts';
import { FakeKubernetes } from '../server/test/support/fake-kubernetes/fake-kubernetes.ts';
import { call, deploy, until } from './instances.ts';
import { type Credentials, ServerProcess } from './server-process.ts';

const IMAGE = 'runtime:1';
const WAIT = { timeout: 180_000, interval: 100 };
const REFERENCE = join(import.meta.dirname, '../runtime/dist/main.js');
const COMMAND = [process.execPath, '--import', join(import.meta.dirname, 'service-host.mjs'), REFERENCE];

/** A place for runtimes that outlives the service, with the reference runtime as its image. */
interface Bed {
  environment: Record<string, string>;
  /** Which runtimes there are; another one has another name. */
  runtimes(): string[];
  /** Kills the only runtime. */
  kill(): Promise<void>;
  close(): Promise<void>;
}

async function dockerBed(): Promise<Bed> {
  const fake = await startFakeDocker({ images: { [IMAGE]: COMMAND } });
  return {
    environment: {
      PROVISIONER: 'docker',
      DOCKER_HOST: fake.endpoint,
      DOCKER_SUBNETS: `${fake.loopback.prefix}.0.0/16`,
    },
    runtimes: () => [...fake.containers.values()].map(({ id }) => id),
    kill: async () => {
      for (const container of fake.containers.values()) await container.end('SIGKILL');
    },
    close: () => fake.close(),
  };
}

async function kubernetesBed(): Promise<Bed> {
  const fake = await FakeKubernetes.start({ images: { [IMAGE]: COMMAND } });
  const directory = await mkdtemp(join(tmpdir(), 'fake-kubernetes-'));
  const [KUBERNETES_CA_FILE, KUBERNETES_TOKEN_FILE] = [join(directory, 'ca.crt'), join(directory, 'token')];
  await writeFile(KUBERNETES_CA_FILE, await fake.access.ca());
  await writeFile(KUBERNETES_TOKEN_FILE, await fake.access.token());
  return {
    environment: {
      PROVISIONER: 'kubernetes',
      KUBERNETES_URL: fake.access.url,
      KUBERNETES_NAMESPACE: await fake.access.namespace(),
      KUBERNETES_CA_FILE,
      KUBERNETES_TOKEN_FILE,
    },
    runtimes: () => [...fake.store.pods.values()].map(({ metadata }) => metadata.uid ?? ''),
    kill: async () => {
      for (const name of fake.store.pods.keys()) await fake.kubelet?.outOfMemory(name);
    },
    close: async () => {
      await fake.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** @returns the agent's answer */
async function ask(credentials: Credentials, instance_id: string, text: string): Promise<string> {
  const path = `/v1/instances/${instance_id}/playground`;
  const { conversation_id } = await call<{ conversation_id: string }>(credentials, 'POST', path, { text });
  const messages = `/v1/conversations/${conversation_id}/messages`;
  return vi.waitFor(async () => {
    const { items } = await call<{ items: { author: string; text: string }[] }>(credentials, 'GET', messages);
    return items.find(({ author }) => author === 'agent')?.text ?? expect.unreachable();
  }, WAIT);
}

describe.each([
  ['docker', dockerBed],
  ['kubernetes', kubernetesBed],
])('with the engine %s', (_engine, open) => {
  let bed: Bed;
  let server: ServerProcess;
  beforeEach(async () => {
    bed = await open();
    server = await ServerProcess.inNewDirectory();
  });
  afterEach(async () => {
    await server.remove();
    await bed.close();
  });

  it('an agent answers over TLS, also after its end and that of the service, and leaves nothing', async () => {
    const ports = { PORT: String(await freePort()), MTLS_PORT: String(await freePort()) };
    const MTLS_PUBLIC_URL = `https://service.test:${ports.MTLS_PORT}`;
    const environment = { ...bed.environment, ...ports, MTLS_PUBLIC_URL, RUNTIME_IMAGE: IMAGE };
    const before = await server.start(environment);
    const { instance_id } = await deploy(before);
    await until(before, instance_id, 'running');
    expect(bed.runtimes()).toHaveLength(1);
    const answer = await ask(before, instance_id, 'help');
    expect(answer).not.toBe('');

    await bed.kill();
    expect(await ask(before, instance_id, 'help')).toBe(answer);
    const runtimes = bed.runtimes();
    await server.end('SIGKILL');
    const after = await server.start(environment);
    expect(await ask(after, instance_id, 'help')).toBe(answer);
    expect(bed.runtimes()).toEqual(runtimes);

    await call(after, 'DELETE', `/v1/instances/${instance_id}`);
    await until(after, instance_id, 'terminated');
    await vi.waitFor(() => expect(bed.runtimes()).toEqual([]), WAIT);
  });
});
