import type { Minted, RuntimeSpec } from '../../runtimes/engine.port.ts';
import { labelsOf } from '../remote-engine/labels.ts';
import { environmentOf, whyUnfit } from '../remote-engine/runtime-environment.ts';
import type { ContainerInspect, NewContainer } from './api.ts';
import type { DockerClient } from './client.ts';
import { DockerRefusal, StartFailure } from './failures.ts';
import type { Images } from './images.ts';
import { LABEL, type Names } from './names.ts';
import type { Attached } from './networks.ts';
import { type Observation, observe } from './observation.ts';

const STOP_SECONDS = 6;
/** A busy machine takes seconds for a start. */
const SLOW_MS = 120_000;
const MIB = 1024 * 1024;
const CPU_MILLIS = 250;
const LOST_MS = 10_000;

export type Found = { isOurs: false } | { isOurs: true; inspect: ContainerInspect; seen: Observation };

/** One container per instance, by its name. */
export class Containers {
  readonly #client: DockerClient;
  readonly #names: Names;
  readonly #images: Images;

  constructor(services: { client: DockerClient; names: Names; images: Images }) {
    this.#client = services.client;
    this.#names = services.names;
    this.#images = services.images;
  }

  /** undefined: there is none. */
  async find(instance_id: string): Promise<Found | undefined> {
    const inspect = await this.#client.find<ContainerInspect>(this.#path(instance_id, '/json'));
    if (!inspect) return undefined;
    const labels = inspect.Config.Labels;
    if (!this.#names.isOurs(labels)) return { isOurs: false };
    const network = this.#names.ofNetwork(labels?.[LABEL.tenant] ?? '', { internet: false });
    return { isOurs: true, inspect, seen: observe(inspect, network) };
  }

  /** @returns false: its name is taken */
  async create(spec: RuntimeSpec, minted: Minted, image: string, attached: Attached): Promise<boolean> {
    const name = this.#names.ofRuntime(spec.instance_id);
    const body = newContainer(spec, { minted, image, attached, names: this.#names });
    const call = { method: 'POST' as const, path: '/containers/create', query: { name }, body };
    try {
      const status = await this.#client.send({ ...call, timeoutMs: SLOW_MS }, 409);
      if (status === 409) return false;
    } catch (error) {
      if (!(error instanceof DockerRefusal)) throw error;
      // Podman up to 5.8 says so with 500.
      const isTaken = /already in use/i.test(error.message);
      if (error.status === 500 && (isTaken || (await this.find(spec.instance_id)))) return false;
      // Somebody removed the network, or the image, a moment ago.
      if (error.status === 404 && /network/i.test(error.message)) throw lostNetwork(error);
      if (error.status === 404) throw this.#images.missing(error.message);
      throw error;
    }
    if (attached.internet) await this.connect(spec.instance_id, attached.internet);
    return true;
  }

  /** @param network its id */
  async connect(instance_id: string, network: string): Promise<void> {
    const body = { Container: this.#names.ofRuntime(instance_id) };
    await this.#client.send({ method: 'POST', path: `/networks/${network}/connect`, body });
  }

  /** @returns false: somebody removed it meanwhile */
  async start(instance_id: string): Promise<boolean> {
    try {
      const path = this.#path(instance_id, '/start');
      await this.#client.send({ method: 'POST', path, timeoutMs: SLOW_MS });
      return true;
    } catch (error) {
      if (!(error instanceof DockerRefusal)) throw error;
      const found = await this.find(instance_id);
      if (!found) return false;
      // The daemon keeps what it could not start.
      await this.discard(instance_id).catch(() => {});
      throw error.status === 404 ? lostNetwork(error) : error;
    }
  }

  /** Removes a container that does not run. @returns false: it runs */
  async discard(instance_id: string): Promise<boolean> {
    try {
      await this.#client.send({ method: 'DELETE', path: this.#path(instance_id) }, 404);
      return true;
    } catch (error) {
      if (error instanceof DockerRefusal) return false;
      throw error;
    }
  }

  /** Ends and removes it; its volume stays. */
  async end(instance_id: string): Promise<void> {
    const stop = { path: this.#path(instance_id, '/stop'), query: { t: STOP_SECONDS } };
    // Podman says 500 for some that do not run. What does not stop is killed by its removal.
    await this.#client.send({ method: 'POST', ...stop, timeoutMs: SLOW_MS }, 404, 409, 500);
    const query = { force: 'true' };
    await this.#client.send(
      { method: 'DELETE', path: this.#path(instance_id), query, timeoutMs: SLOW_MS },
      404,
      409,
    );
    if (await this.find(instance_id)) throw new Error('The container is still there');
  }

  async removeState(instance_id: string): Promise<void> {
    const path = `/volumes/${this.#names.ofRuntime(instance_id)}`;
    await this.#client.send({ method: 'DELETE', path }, 404);
  }

  #path(instance_id: string, rest = ''): string {
    return `/containers/${this.#names.ofRuntime(instance_id)}${rest}`;
  }
}

/** The next try makes it anew. */
const lostNetwork = ({ message }: DockerRefusal) => new StartFailure('unschedulable', message, LOST_MS);

interface Made {
  minted: Minted;
  image: string;
  attached: Attached;
  names: Names;
}

function newContainer(spec: RuntimeSpec, { minted, image, attached, names }: Made): NewContainer {
  const Labels = {
    ...labelsOf(spec, names.owner),
    [LABEL.spec_hash]: spec.hash,
  };
  const { [LABEL.generation]: _generation, [LABEL.spec_hash]: _hash, ...lasting } = Labels;
  const name = names.ofRuntime(spec.instance_id);
  const state = { Type: 'volume', Source: name, Target: '/state', VolumeOptions: { Labels: lasting } };
  return {
    Image: image,
    User: '10001',
    Env: variablesOf(spec, minted),
    Labels,
    StopTimeout: STOP_SECONDS,
    HostConfig: {
      ...CONFINED,
      Memory: spec.memory_mib * MIB,
      MemorySwap: spec.memory_mib * MIB,
      NanoCpus: Math.max(spec.cpu_millis, CPU_MILLIS) * 1e6,
      NetworkMode: attached.network,
      ExtraHosts: attached.hosts,
      Mounts: [state],
    },
    NetworkingConfig: { EndpointsConfig: { [attached.network]: {} } },
  };
}

/** The same for all. The default profile of seccomp applies, because nothing is said about it. */
const CONFINED = {
  ReadonlyRootfs: true,
  Tmpfs: { '/tmp': 'rw,noexec,nosuid,nodev,size=16m,mode=1777' },
  CapDrop: ['ALL'],
  SecurityOpt: ['no-new-privileges'],
  Privileged: false,
  PidsLimit: 128,
  Ulimits: [{ Name: 'nofile', Soft: 1024, Hard: 1024 }],
  IpcMode: 'private',
  CgroupnsMode: 'private',
  LogConfig: { Type: 'json-file', Config: { 'max-size': '1m' } },
  RestartPolicy: { Name: 'no' },
  AutoRemove: false,
};

function variablesOf(spec: RuntimeSpec, minted: Minted): string[] {
  const environment = environmentOf(spec, minted);
  const unfit = whyUnfit(environment);
  if (unfit !== undefined) throw new StartFailure('spec_rejected', unfit);
  return Object.entries(environment).map(([key, value]) => `${key}=${value}`);
}
