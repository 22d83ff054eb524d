import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type Loopback, reserveLoopback } from '../loopback.ts';
import { FakeContainer, type Wanted } from './fake-container.ts';
import { type FakeNetwork, FakeNetworks } from './fake-networks.ts';
import { Faults } from './faults.ts';
import { Refused } from './refused.ts';

export interface Call {
  method: string;
  path: string;
  query: URLSearchParams;
  body: unknown;
  headers: IncomingHttpHeaders;
}

type Answer = (fake: FakeDocker, call: Call, response: ServerResponse) => Promise<void>;

export interface FakeDockerOptions {
  /** The command of each image. */
  images?: Readonly<Record<string, readonly string[]>>;
  /** Images that a pull finds. */
  registry?: Readonly<Record<string, readonly string[]>>;
  api?: string;
  /** Says 500 for a taken name and tells the event `died`. */
  isPodman?: boolean;
}

/** The daemon of Docker or Podman at a Unix socket. Its containers are processes, which outlive its server. */
export class FakeDocker {
  readonly containers = new Map<string, FakeContainer>();
  readonly networks = new FakeNetworks();
  readonly volumes = new Map<string, string>();
  readonly images: Map<string, readonly string[]>;
  readonly registry: Map<string, readonly string[]>;
  readonly faults = new Faults();
  /** `METHOD /path` of each call. */
  readonly calls: string[] = [];
  /** X-Registry-Auth of each pull. */
  readonly logins: (string | undefined)[] = [];
  /** The versions of the API that calls name. */
  readonly versions = new Set<string>();
  /** A start waits for it. */
  starting: Promise<unknown> = Promise.resolve();
  /** A removal waits for it. */
  removing: Promise<unknown> = Promise.resolve();
  /** A pull waits for it. */
  pulling: Promise<unknown> = Promise.resolve();
  readonly options: FakeDockerOptions;
  /** Addresses for subnets of its networks. */
  readonly loopback: Loopback;
  readonly #answer: Answer;
  readonly #directory: string;
  /** With the types of events that they ask for. */
  readonly #followers = new Map<ServerResponse, readonly string[]>();
  #server: Server | undefined;

  private constructor(options: FakeDockerOptions, directory: string, loopback: Loopback, answer: Answer) {
    this.options = options;
    this.loopback = loopback;
    this.#answer = answer;
    this.#directory = directory;
    this.images = new Map(Object.entries(options.images ?? {}));
    this.registry = new Map(Object.entries(options.registry ?? {}));
  }

  static async start(options: FakeDockerOptions, answer: Answer): Promise<FakeDocker> {
    const directory = await mkdtemp(join(tmpdir(), 'fake-docker-'));
    const fake = new FakeDocker(options, directory, await reserveLoopback(), answer);
    await fake.listen();
    return fake;
  }

  get endpoint(): string {
    return `unix://${join(this.#directory, 'docker.sock')}`;
  }

  async listen(): Promise<void> {
    this.#server = createServer((request, response) => void this.#serve(request, response));
    this.#server.listen(new URL(this.endpoint).pathname);
    await once(this.#server, 'listening');
  }

  /** The daemon is away; its containers stay. */
  async away(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    server?.closeAllConnections();
    server?.close();
    if (server) await once(server, 'close');
    this.#followers.clear();
  }

  cutEvents(): void {
    for (const response of this.#followers.keys()) response.socket?.destroy();
    this.#followers.clear();
  }

  /** Ends everything. */
  async close(): Promise<void> {
    await this.away();
    await Promise.all([...this.containers.values()].map((container) => container.end('SIGKILL')));
    await rm(this.#directory, { recursive: true, force: true });
    this.loopback.release();
  }

  /** By its name or id. */
  find(name: string): FakeContainer {
    const found =
      this.containers.get(name) ?? [...this.containers.values()].find(({ id }) => id.startsWith(name));
    if (!found) throw new Refused(404, `No such container: ${name}`);
    return found;
  }

  create(name: string, wanted: Wanted): FakeContainer {
    const command = this.images.get(wanted.Image);
    if (!command) throw new Refused(404, `No such image: ${wanted.Image}`);
    if (this.containers.has(name)) {
      const status = this.options.isPodman ? 500 : 409;
      throw new Refused(status, `Conflict. The container name "/${name}" is already in use`);
    }
    const container = new FakeContainer(name, wanted, command);
    const network = wanted.HostConfig?.NetworkMode;
    if (network) this.#connect(container, network);
    this.containers.set(name, container);
    return container;
  }

  #connect(container: FakeContainer, name: string): void {
    const { network, ip } = this.networks.connect(name, container.id);
    container.addresses.set(network.Id, ip);
  }

  async startContainer(container: FakeContainer): Promise<void> {
    const volume = container.wanted.HostConfig?.Mounts?.[0]?.Source ?? container.id;
    const stateDir = this.volumes.get(volume) ?? (await mkdtemp(join(this.#directory, 'state-')));
    this.volumes.set(volume, stateDir);
    const ended = () => this.tell(container, this.options.isPodman ? 'died' : 'die');
    try {
      await container.start(stateDir, ended);
    } catch (error) {
      throw new Refused(
        400,
        `OCI runtime create failed: ${(error as Error).message}: executable file not found`,
      );
    }
    this.tell(container, 'start');
  }

  /** As the kernel does. */
  async outOfMemory(name: string): Promise<void> {
    const container = this.find(name);
    container.isOutOfMemory = true;
    await container.end('SIGKILL');
  }

  /** As `docker rm --force` does. */
  async remove(name: string): Promise<void> {
    const container = this.find(name);
    await container.end('SIGKILL');
    container.status = 'removing';
    this.tell(container, 'die');
    await this.removing;
    this.containers.delete(container.name);
    this.networks.disconnect(container.id);
    this.tell(container, 'destroy');
  }

  /** As `docker network disconnect` does, by default from all that it is in. */
  takeOut(container: FakeContainer, name?: string): void {
    const network = name === undefined ? undefined : this.networks.find(name)?.Id;
    for (const [id, ip] of container.addresses) {
      if (network !== undefined && id !== network) continue;
      container.formerAddresses.set(id, ip);
      container.addresses.delete(id);
    }
    this.networks.disconnect(container.id, name);
  }

  follow(response: ServerResponse, types: readonly string[]): void {
    this.#followers.set(response, types);
  }

  tell({ name, id, wanted }: FakeContainer, Action: string): void {
    this.#tell({ Type: 'container', Action, Actor: { ID: id, Attributes: { name, ...wanted.Labels } } });
  }

  /** Its events have no labels. */
  tellNetwork({ Id: ID, Name: name }: FakeNetwork, Action: string): void {
    this.#tell({ Type: 'network', Action, Actor: { ID, Attributes: { name } } });
  }

  #tell(event: { Type: string; Action: string; Actor: object }): void {
    for (const [response, types] of this.#followers)
      if (types.includes(event.Type)) response.write(`${JSON.stringify(event)}\n`);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', headers } = request;
    const url = new URL(request.url ?? '/', 'http://docker');
    const [, version, path = ''] = /^(?:\/v(1\.\d+))?(.*)$/.exec(decodeURIComponent(url.pathname)) ?? [];
    if (version !== undefined) this.versions.add(version);
    this.calls.push(`${method} ${path}`);
    const body = await text(request);
    response.setHeader('Api-Version', this.options.api ?? '1.51');
    if (this.faults.strike(`${method} ${path}`, response)) return;
    const call: Call = { method, path, query: url.searchParams, body: body && JSON.parse(body), headers };
    try {
      await this.#answer(this, call, response);
    } catch (error) {
      response.writeHead(error instanceof Refused ? error.status : 500);
      response.end(JSON.stringify({ message: (error as Error).message }));
    }
  }
}
