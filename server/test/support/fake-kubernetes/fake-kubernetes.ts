import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { ClusterAccess } from '../../../src/adapters/kubernetes-engine/access.ts';
import type { Pod, Secret } from '../../../src/adapters/kubernetes-engine/api.ts';
import { x509 } from '../../../src/adapters/x509/library.ts';
import { Faults } from '../fake-docker/faults.ts';
import { type Loopback, reserveLoopback } from '../loopback.ts';
import { TestAuthority } from '../runtime-certificates.ts';
import { FakeKubelet } from './fake-kubelet.ts';
import { FakeStore, Refused, selectedBy } from './store.ts';
import { Watches } from './watches.ts';

export interface FakeKubernetesOptions {
  /** The commands of images; undefined: no pod is ever scheduled. */
  images?: Readonly<Record<string, readonly string[]>>;
  /** Before a container starts again; 200 ms by default. */
  restartMs?: number;
  /** Between two bookmarks; 1 s by default. */
  bookmarkMs?: number;
}

interface Call {
  method: string;
  kind: string;
  name: string;
  query: URLSearchParams;
  body: unknown;
}

const NAMESPACE = 'runtimes';

/** The API server of Kubernetes with one node, for pods and secrets of one namespace. Misbehaves on demand. */
export class FakeKubernetes {
  readonly store = new FakeStore();
  readonly faults = new Faults();
  /** `METHOD /path?query` of each call. */
  readonly calls: string[] = [];
  readonly watches: Watches;
  readonly kubelet: FakeKubelet | undefined;
  /** The one that callers have to show. */
  token = 'token-1';
  /** Further pods are refused. */
  quota = Number.POSITIVE_INFINITY;
  /** Each answer takes as long. */
  delayMs = 0;
  readonly #identity: { cert: string; key: string };
  readonly #ca: string;
  readonly #loopback: Loopback;
  readonly #sockets = new Set<Duplex>();
  #server: Server | undefined;
  #port = 0;

  private constructor(
    options: FakeKubernetesOptions,
    ca: string,
    identity: { cert: string; key: string },
    loopback: Loopback,
  ) {
    this.#ca = ca;
    this.#loopback = loopback;
    this.#identity = identity;
    this.watches = new Watches(this.store, options.bookmarkMs ?? 1000);
    const { images, restartMs = 200 } = options;
    this.kubelet =
      images &&
      new FakeKubelet({
        prefix: loopback.prefix,
        images,
        restartMs,
        secret: (name) => this.store.secrets.get(name)?.stringData,
        report: (name, status) => this.store.changePod(name, { status }),
      });
  }

  static async start(options: FakeKubernetesOptions = {}): Promise<FakeKubernetes> {
    const authority = await TestAuthority.make();
    const names = [{ type: 'ip', value: '127.0.0.1' }] as const;
    const identity = await authority.other([...names], [x509.ExtendedKeyUsage.serverAuth], 'authority');
    const chain = { ...identity, cert: `${identity.cert}\n${authority.bundle}` };
    const fake = new FakeKubernetes(options, authority.root_pem, chain, await reserveLoopback());
    await fake.listen();
    return fake;
  }

  get access(): ClusterAccess {
    return {
      url: `https://127.0.0.1:${this.#port}`,
      ca: async () => this.#ca,
      token: async () => this.token,
      namespace: async () => NAMESPACE,
    };
  }

  /** At the same port each time. */
  async listen(): Promise<void> {
    const server = createServer(this.#identity, (request, response) => void this.#serve(request, response));
    this.#server = server;
    server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
    });
    server.listen(this.#port, '127.0.0.1');
    await once(server, 'listening');
    this.#port = (server.address() as AddressInfo).port;
  }

  /** Its pods go on. */
  async away(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    this.watches.cut();
    server?.close();
    // Also those that shake hands, which `closeAllConnections` does not know.
    for (const socket of this.#sockets) socket.destroy();
    if (server) await once(server, 'close');
  }

  async close(): Promise<void> {
    await this.away();
    await this.kubelet?.close();
    this.#loopback.release();
  }

  /** As `kubectl delete` does. */
  deletePod(name: string): void {
    const pod = this.store.pods.get(name);
    if (!pod || pod.metadata.deletionTimestamp) return;
    this.store.changePod(name, { metadata: { deletionTimestamp: new Date().toISOString() } });
    const ended = this.kubelet?.end(name) ?? Promise.resolve();
    void ended.then(() => this.store.removePod(name));
  }

  /** As a kubelet without memory does: the pod stays as an object. */
  async evict(name: string): Promise<void> {
    await this.kubelet?.end(name);
    this.store.changePod(name, { status: { phase: 'Failed', reason: 'Evicted' } });
  }

  /** Its node is silent: the pod is not ready, its container seems to be. */
  loseNode(name: string): void {
    this.kubelet?.loseNode(name);
    const conditions = [{ type: 'Ready', status: 'False' }];
    this.store.changePod(name, { status: { conditions } });
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', headers } = request;
    const url = new URL(request.url ?? '/', 'https://fake');
    const line = `${method} ${url.pathname}${url.search}`;
    this.calls.push(line);
    try {
      const body = await text(request);
      if (this.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, this.delayMs));
      if (this.faults.strike(line, response)) return;
      if (headers.authorization !== `Bearer ${this.token}`)
        throw new Refused(401, 'Unauthorized', 'Unauthorized');
      const [, namespace, kind = '', name = ''] =
        /^\/api\/v1\/namespaces\/([^/]+)\/(pods|secrets)(?:\/([^/]+))?$/.exec(url.pathname) ?? [];
      if (namespace !== NAMESPACE) throw new Refused(404, 'NotFound', 'not found');
      const call = { method, kind, name, query: url.searchParams, body: body ? JSON.parse(body) : undefined };
      this.#answer(call, response);
    } catch (error) {
      const refused =
        error instanceof Refused ? error : new Refused(500, 'InternalError', (error as Error).message);
      response.writeHead(refused.status.code ?? 500, {
        'Content-Type': 'application/json',
        ...refused.headers,
      });
      response.end(JSON.stringify({ kind: 'Status', status: 'Failure', ...refused.status }));
    }
  }

  #answer({ method, kind, name, query, body }: Call, response: ServerResponse): void {
    if (method === 'GET' && kind === 'pods' && query.has('watch')) return this.watches.open(query, response);
    if (method === 'GET' && kind === 'pods') return send(response, 200, this.#list(query));
    if (method === 'POST' && kind === 'secrets')
      return send(response, 201, this.store.createSecret(body as Secret));
    if (method === 'POST') return send(response, 201, this.#createPod(body as Pod));
    if (method !== 'DELETE') throw new Refused(403, 'Forbidden', `${kind} is forbidden`);
    this.#delete(kind, name, body as { preconditions?: { uid?: string } } | undefined);
    send(response, 200, { kind: 'Status', status: 'Success' });
  }

  /** `continue` is the version of the first page and the number of items before. */
  #list(query: URLSearchParams) {
    const [version = this.store.version, skipped = '0'] = query.get('continue')?.split('.') ?? [];
    if (this.store.isForgotten(version))
      throw new Refused(410, 'Expired', 'The provided continue is too old');
    const all = this.store.select(selectedBy(query));
    const end = Number(skipped) + Number(query.get('limit') ?? all.length);
    const more = end < all.length ? { continue: `${version}.${end}` } : {};
    return {
      kind: 'PodList',
      metadata: { resourceVersion: version, ...more },
      items: all.slice(Number(skipped), end),
    };
  }

  #createPod(body: Pod): Pod {
    if (this.store.pods.size >= this.quota) throw new Refused(403, 'Forbidden', 'exceeded quota: pods');
    const pod = this.store.createPod(body);
    void this.kubelet?.start(pod);
    this.#collect();
    return pod;
  }

  #delete(kind: string, name: string, options: { preconditions?: { uid?: string } } | undefined): void {
    const objects = kind === 'pods' ? this.store.pods : this.store.secrets;
    const found = objects.get(name);
    if (!found) throw new Refused(404, 'NotFound', `${kind} "${name}" not found`);
    const uid = options?.preconditions?.uid;
    if (uid !== undefined && uid !== found.metadata.uid)
      throw new Refused(409, 'Conflict', 'the UID in the precondition does not match');
    if (kind === 'pods') return this.deletePod(name);
    this.store.secrets.delete(name);
    this.#collect();
  }

  /** As the garbage collector does: pods whose owner is gone. */
  #collect(): void {
    const owners = new Set([...this.store.secrets.values()].map(({ metadata }) => metadata.uid));
    for (const [name, { metadata }] of this.store.pods) {
      const owner = metadata.ownerReferences?.[0]?.uid;
      if (owner !== undefined && !owners.has(owner)) this.deletePod(name);
    }
  }
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify(body));
}
