import { hostname } from 'node:os';
import { KeyedQueue } from '../../platform/load/keyed-queue.ts';
import { Semaphore } from '../../platform/load/semaphore.ts';
import type { Log } from '../../platform/ports.ts';
import { SeldomLog } from '../../platform/seldom-log.ts';
import type { Engine, Mint, Observed, RuntimeSpec } from '../../runtimes/engine.port.ts';
import { type Change, Changes, type Following } from '../remote-engine/changes.ts';
import type { Owner } from '../remote-engine/labels.ts';
import type { ContainerInspect, DaemonEvent, ListedContainer } from './api.ts';
import { DockerClient, type DockerEndpoint } from './client.ts';
import { ContainerSupervisor } from './container-supervisor.ts';
import { Containers } from './containers.ts';
import type { Daemon } from './daemon.ts';
import { DockerUnreachable } from './failures.ts';
import { Images, type PullPolicy } from './images.ts';
import { type LastWords, readLastWords } from './last-words.ts';
import { Names } from './names.ts';
import { TenantNetworks } from './networks.ts';
import { findOwnContainer, type OwnContainer } from './own-container.ts';
import { ServiceNetworks } from './service-networks.ts';

const LIST_EVERY_MS = 300_000;
const LOOKS_AT_ONCE = 8;

/** The owner's labels tell its objects from others of the daemon. */
export interface DockerEngineOptions extends DockerEndpoint, Owner {
  /** The image of runtimes that name none. */
  image: string;
  pull_policy: PullPolicy;
  /** Addresses of tenants' networks, an IPv4 network in CIDR form. */
  subnets: string;
  /** A directory with config.json, whose `auths` are logins for pulls. */
  docker_config?: string | undefined;
  /** From the start of a container until it listens, and for all tries to start one. */
  start_timeout_ms: number;
  /** The host of MTLS_PUBLIC_URL. */
  service_name: string;
  /** Receives the last lines of a runtime that ended. */
  onOutput?: (instance_id: string, lines: readonly string[]) => Promise<void>;
  /** Takes secrets of an instance out of a line that its runtime printed; by default nothing. */
  clean?: (instance_id: string, line: string) => Promise<string>;
  log: Log;
  /** For tests. */
  notFoundMs?: number;
  listEveryMs?: number;
  hostname?: string;
}

/** Runs each runtime as a container of Docker or Podman. Containers outlive the service, which restarts none in place. */
export class DockerEngine implements Engine {
  readonly #options: DockerEngineOptions;
  readonly #client: DockerClient;
  readonly #names: Names;
  readonly #daemon: Daemon;
  readonly #networks: TenantNetworks;
  readonly #images: Images;
  readonly #supervisors = new Map<string, ContainerSupervisor>();
  readonly #changes = new Changes();
  readonly #looks = new KeyedQueue(LOOKS_AT_ONCE, (id) => this.#lookSafely(id));
  readonly #log: SeldomLog;
  #own: Promise<OwnContainer | undefined> | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: DockerEngineOptions) {
    this.#options = options;
    const { log, clean = async (_id: string, line: string) => line } = options;
    const client = new DockerClient(options);
    const names = new Names(options);
    const { pull_policy: policy, docker_config, notFoundMs, subnets, service_name } = options;
    const images = new Images({ client, policy, docker_config, log, ...(notFoundMs && { notFoundMs }) });
    const own = () => this.#findOwn();
    const joined = new ServiceNetworks({ client, names, service_name, log });
    const networks = new TenantNetworks({ client, names, networks: joined, subnets, service_name, own });
    this.#client = client;
    this.#names = names;
    this.#images = images;
    this.#networks = networks;
    this.#log = new SeldomLog(log);
    this.#daemon = {
      containers: new Containers({ client, names, images }),
      images,
      networks,
      image: options.image,
      start_timeout_ms: options.start_timeout_ms,
      log: this.#log,
      lastWordsOf: (id, container) => this.#lastWordsOf(id, container),
      clean,
    };
  }

  async ensure(spec: RuntimeSpec, mint: Mint): Promise<void> {
    if (this.#closing) throw new Error('The engine is closed');
    requireName(spec.instance_id);
    requireName(spec.tenant_id);
    void this.#supervisorOf(spec.instance_id)
      .ensure(spec, mint)
      .finally(() => this.#forgetIdle(spec.instance_id));
  }

  /** Removes the volume as well: the next start brings a new enrollment token. */
  async remove(instance_id: string): Promise<void> {
    if (this.#closing) throw new Error('The engine is closed');
    requireName(instance_id);
    void this.#supervisorOf(instance_id)
      .stop()
      .finally(() => this.#forgetIdle(instance_id));
  }

  /** Throws when the daemon cannot be reached, or not any more. */
  watch(signal: AbortSignal): AsyncIterable<Change> {
    return this.#changes.watch(signal, async (following) => {
      this.#client.forgetVersion();
      this.#own = undefined;
      await this.#follow(following);
      await this.#networks.settle();
      const all = await this.#listAll();
      const { listEveryMs = LIST_EVERY_MS } = this.#options;
      const timer = setInterval(() => void this.#relist().catch(following.fail), listEveryMs).unref();
      following.signal.addEventListener('abort', () => clearInterval(timer), { once: true });
      return { all };
    });
  }

  /** Ends no container. Resolves when no call is under way. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#images.close();
    const closing = [...this.#supervisors.values()].map((supervisor) => supervisor.close());
    await Promise.all([this.#looks.close(), ...closing]);
  }

  /** Resolves when the events come. Their end fails the watch. */
  #follow({ signal, fail }: Following): Promise<void> {
    const query = { filters: { type: ['container'], ...this.#names.filter() } };
    return new Promise((resolve, reject) => {
      const read = async () => {
        for await (const event of this.#client.lines<DaemonEvent>(
          { path: '/events', query, signal },
          resolve,
        )) {
          const id = this.#names.instanceOf(event.Actor?.Attributes?.name);
          if (id !== undefined) this.#looks.add(id);
        }
        throw new DockerUnreachable('The daemon ended its events');
      };
      read().catch((error: unknown) => {
        reject(error);
        fail(error);
      });
    });
  }

  async #relist(): Promise<void> {
    this.#changes.tell({ all: await this.#listAll() });
  }

  async #listAll(): Promise<Observed[]> {
    const query = { all: 1, filters: this.#names.filter() };
    const listed = await this.#client.get<ListedContainer[]>('/containers/json', query);
    const ours = listed.filter(({ Labels }) => this.#names.isOurs(Labels));
    const found = ours.flatMap(({ Names: given }) => this.#names.instanceOf(given?.[0]) ?? []);
    const looks = new Semaphore(LOOKS_AT_ONCE);
    const ids = new Set([...found, ...this.#supervisors.keys()]);
    await Promise.all([...ids].map((id) => looks.run(() => this.#supervisorOf(id).look())));
    for (const id of ids) this.#forgetIdle(id);
    return [...this.#supervisors.values()].map(({ observed }) => observed);
  }

  async #lookSafely(id: string): Promise<void> {
    try {
      await this.#supervisorOf(id).look();
    } catch (error) {
      this.#log.warn(`look ${id}`, { instance_id: id, err: error }, 'a container could not be looked at');
    }
    this.#forgetIdle(id);
  }

  #supervisorOf(instance_id: string): ContainerSupervisor {
    const known = this.#supervisors.get(instance_id);
    if (known) return known;
    const tell = (observed: Observed) => this.#changes.tell(observed);
    const supervisor = new ContainerSupervisor(instance_id, this.#daemon, tell);
    this.#supervisors.set(instance_id, supervisor);
    return supervisor;
  }

  #forgetIdle(instance_id: string): void {
    if (this.#supervisors.get(instance_id)?.isIdle) this.#supervisors.delete(instance_id);
  }

  /** Found once for each time that the daemon is watched. */
  #findOwn(): Promise<OwnContainer | undefined> {
    const asked = this.#own ?? findOwnContainer(this.#client, this.#options.hostname ?? hostname());
    this.#own = asked;
    asked.catch(() => {
      if (this.#own === asked) this.#own = undefined;
    });
    return asked;
  }

  async #lastWordsOf(instance_id: string, container: ContainerInspect): Promise<LastWords> {
    const words = await readLastWords(this.#client, container);
    const { onOutput } = this.#options;
    if (words.lines.length > 0) {
      await onOutput?.(instance_id, words.lines).catch((error: unknown) =>
        this.#log.warn('output', { instance_id, err: error }, 'the last words of a runtime were not kept'),
      );
    }
    return words;
  }
}

/** It becomes part of a path. */
function requireName(id: string): void {
  if (!/^[\w-]+$/.test(id)) throw new Error('An id must consist of letters, digits, _ and -');
}
