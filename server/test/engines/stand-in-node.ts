import { request } from 'node:https';
import { text } from 'node:stream/consumers';
import type { ClusterAccess } from '../../src/adapters/kubernetes-engine/access.ts';
import type { Pod, WatchEvent } from '../../src/adapters/kubernetes-engine/api.ts';
import { KubernetesClient } from '../../src/adapters/kubernetes-engine/client.ts';
import { LABEL } from '../../src/adapters/kubernetes-engine/names.ts';
import { FakeKubelet } from '../support/fake-kubernetes/fake-kubelet.ts';
import { type Loopback, reserveLoopback } from '../support/loopback.ts';

const NODE = 'stand-in';
const NOW = { gracePeriodSeconds: 0 };

/**
 * Scheduler and kubelet of a real API server that has none: takes each pod of an engine, runs its container as a process of
 * this machine, and tells the server of its status.
 */
export class StandInNode {
  readonly kubelet: FakeKubelet;
  readonly #access: ClusterAccess;
  readonly #loopback: Loopback;
  readonly #client: KubernetesClient;
  readonly #closing = new AbortController();
  /** Pods by uid that it has taken, and those that it ends. */
  readonly #taken = new Map<string, 'runs' | 'ends'>();
  readonly #strangers: string[] = [];
  /** One report after another for each pod. */
  readonly #reports = new Map<string, Promise<unknown>>();
  #watching: Promise<void> = Promise.resolve();

  private constructor(
    access: ClusterAccess,
    images: Readonly<Record<string, readonly string[]>>,
    loopback: Loopback,
  ) {
    this.#access = access;
    this.#loopback = loopback;
    this.#client = new KubernetesClient(access);
    this.kubelet = new FakeKubelet({
      prefix: loopback.prefix,
      images,
      restartMs: 200,
      secret: (name) => this.#secret(name),
      report: (name, status) => this.#report(name, status),
    });
  }

  static async open(
    access: ClusterAccess,
    images: Readonly<Record<string, readonly string[]>>,
  ): Promise<StandInNode> {
    const node = new StandInNode(access, images, await reserveLoopback());
    const { resourceVersion } = await node.#client.listPods(LABEL.installation);
    node.#watching = node.#watch(resourceVersion);
    return node;
  }

  async find(name: string): Promise<Pod> {
    const said = await this.#call('GET', `/pods/${name}`);
    if (said === undefined) throw new Error(`There is no pod ${name}`);
    return JSON.parse(said) as Pod;
  }

  async remove(name: string): Promise<void> {
    await this.#call('DELETE', `/pods/${name}`);
  }

  async occupy(name: string): Promise<void> {
    const containers = [{ name: 'stranger', image: 'stranger' }];
    const spec = { containers, automountServiceAccountToken: false };
    await this.#call('POST', '/pods', { apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec });
    this.#strangers.push(name);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#watching;
    await this.kubelet.close();
    this.#loopback.release();
    for (const name of this.#strangers) await this.#call('DELETE', `/pods/${name}`, NOW);
    this.#client.close();
  }

  async #watch(resourceVersion: string): Promise<void> {
    const { signal } = this.#closing;
    const watched = { selector: LABEL.installation, resourceVersion, seconds: 600, signal };
    try {
      for await (const event of this.#client.watchPods(watched)) this.#see(event);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  #see({ type, object }: WatchEvent): void {
    if (type !== 'ADDED' && type !== 'MODIFIED') return;
    const { name = '', uid = '', deletionTimestamp } = object.metadata;
    const state = this.#taken.get(uid);
    if (deletionTimestamp !== undefined && state === 'runs') {
      this.#taken.set(uid, 'ends');
      void this.#end(name);
    } else if (state === undefined) {
      this.#taken.set(uid, 'runs');
      void this.#take(object);
    }
  }

  async #take(pod: Pod): Promise<void> {
    const { name = '' } = pod.metadata;
    const target = { apiVersion: 'v1', kind: 'Node', name: NODE };
    await this.#call('POST', `/pods/${name}/binding`, {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name },
      target,
    });
    await this.kubelet.start(pod);
  }

  async #end(name: string): Promise<void> {
    await this.kubelet.end(name);
    await this.#reports.get(name);
    await this.#call('DELETE', `/pods/${name}`, NOW);
  }

  async #secret(name: string): Promise<Record<string, string> | undefined> {
    const said = await this.#call('GET', `/secrets/${name}`);
    if (said === undefined) return undefined;
    const { data } = JSON.parse(said) as { data: Record<string, string> };
    return Object.fromEntries(
      Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]),
    );
  }

  #report(name: string, status: object): void {
    const before = this.#reports.get(name) ?? Promise.resolve();
    this.#reports.set(
      name,
      before.then(() => this.#call('PATCH', `/pods/${name}/status`, { status })),
    );
  }

  /** undefined: it is gone meanwhile. */
  async #call(method: string, path: string, body?: object): Promise<string | undefined> {
    const [token, ca, namespace] = await Promise.all([
      this.#access.token(),
      this.#access.ca(),
      this.#access.namespace(),
    ]);
    const url = new URL(`/api/v1/namespaces/${namespace}${path}`, this.#access.url);
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const { status, said } = await new Promise<{ status: number; said: string }>((resolve, reject) => {
      const content = body === undefined ? '' : JSON.stringify(body);
      const headers = {
        Authorization: `Bearer ${token}`,
        'Content-Type': type,
        // Node adds it to no DELETE.
        'Content-Length': Buffer.byteLength(content),
      };
      const sent = request(url, { method, headers, ca }, (response) => {
        text(response).then((said) => resolve({ status: response.statusCode ?? 0, said }), reject);
      });
      sent.on('error', reject).end(content);
    });
    if (status === 404) return undefined;
    if (status >= 400) throw new Error(`${method} ${path}: ${status} ${said}`);
    return said;
  }
}
