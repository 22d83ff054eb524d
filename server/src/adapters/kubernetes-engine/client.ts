import type { IncomingMessage } from 'node:http';
import { Agent, request as httpsRequest } from 'node:https';
import { signalAfter } from '../../platform/signal-after.ts';
import { headOf, readBytes } from '../remote-engine/answers.ts';
import { linesOf } from '../remote-engine/lines.ts';
import { type ClusterAccess, type Credentials, FreshCredentials } from './access.ts';
import { failureOf, parse, refusalOf } from './answers.ts';
import type { Pod, PodList, Secret, WatchEvent } from './api.ts';
import { ClusterRefusal, ClusterUnreachable, WatchBroken } from './failures.ts';

const TIMEOUT_MS = 30_000;
const PAGE = 500;
/** A pod of the list has 2 to 5 KiB; a page with more than that is none of ours. */
const MAX_BYTES = 16 * 1024 * 1024;
const MAX_LINE = 2 * 1024 * 1024;
/** Beyond its own time, after which the API server ends a watch. It sends bookmarks meanwhile, each minute or so. */
const SILENCE_MS = 30_000;
const CONNECTIONS = 20;
/** Between two uses; load balancers drop idle connections without a word. */
const IDLE_MS = 30_000;
const LISTS_AGAIN = 3;

type Query = Readonly<Record<string, string | number>>;

interface Call {
  method?: 'GET' | 'POST' | 'DELETE';
  /** Below the namespace. */
  path: string;
  query?: Query;
  body?: unknown;
  signal?: AbortSignal | undefined;
}

export interface FullList {
  pods: Pod[];
  resourceVersion: string;
}

export interface WatchOptions {
  selector: string;
  resourceVersion: string;
  seconds: number;
  signal: AbortSignal;
  /** Without a byte for as long it is given up; by default 30 s beyond `seconds`. */
  silenceMs?: number | undefined;
}

/** Talks to the API server of one cluster about pods and secrets of one namespace. */
export class KubernetesClient {
  readonly #access: ClusterAccess;
  readonly #credentials: FreshCredentials;
  #agent: { ca: string; agent: Agent } | undefined;

  constructor(access: ClusterAccess) {
    this.#access = access;
    this.#credentials = new FreshCredentials(access);
  }

  createSecret(secret: Secret, signal?: AbortSignal): Promise<Secret> {
    return this.#json<Secret>({ method: 'POST', path: '/secrets', body: secret, signal });
  }

  createPod(pod: Pod, signal?: AbortSignal): Promise<Pod> {
    return this.#json<Pod>({ method: 'POST', path: '/pods', body: pod, signal });
  }

  deletePod(name: string, uid: string | undefined): Promise<void> {
    return this.#delete(`/pods/${name}`, uid);
  }

  deleteSecret(name: string, uid: string | undefined): Promise<void> {
    return this.#delete(`/secrets/${name}`, uid);
  }

  /** By its name, with whatever labels; undefined: there is none. */
  async findPod(name: string): Promise<Pod | undefined> {
    const query = { fieldSelector: `metadata.name=${name}`, limit: 1 };
    const { items } = await this.#json<PodList>({ path: '/pods', query });
    return items?.[0];
  }

  /** In pages. Begins anew when the API server has forgotten the version of the first one. */
  async listPods(selector: string, signal?: AbortSignal): Promise<FullList> {
    for (let again = 0; ; again++) {
      try {
        return await this.#listPages(selector, signal);
      } catch (error) {
        if (!(error instanceof ClusterRefusal && error.isExpired) || again >= LISTS_AGAIN) throw error;
      }
    }
  }

  /** Ends when the API server ends it. Leaving the loop ends the call. */
  async *watchPods({ selector, resourceVersion, seconds, signal, silenceMs }: WatchOptions) {
    const query = {
      watch: 1,
      labelSelector: selector,
      resourceVersion,
      timeoutSeconds: seconds,
      allowWatchBookmarks: 'true',
    };
    const response = await this.#open({ path: '/pods', query, signal });
    const limitMs = silenceMs ?? seconds * 1000 + SILENCE_MS;
    response.socket.setTimeout(limitMs);
    const isSilent = () => response.destroy(new Error('The watch is silent'));
    response.socket.once('timeout', isSilent);
    try {
      for await (const line of linesOf(response, MAX_LINE, 'API server')) yield parse(line) as WatchEvent;
    } catch (error) {
      signal.throwIfAborted();
      throw new WatchBroken(`The watch broke off: ${(error as Error).message}`, { cause: error });
    } finally {
      response.socket.off('timeout', isSilent);
      response.destroy();
    }
  }

  close(): void {
    this.#agent?.agent.destroy();
    this.#agent = undefined;
  }

  async #listPages(selector: string, signal: AbortSignal | undefined): Promise<FullList> {
    const pods: Pod[] = [];
    for (let next: Query = {}; ; ) {
      const query = { labelSelector: selector, limit: PAGE, ...next };
      const { items, metadata = {} } = await this.#json<PodList>({ path: '/pods', query, signal });
      pods.push(...(items ?? []));
      if (!metadata.continue) return { pods, resourceVersion: metadata.resourceVersion ?? '' };
      next = { continue: metadata.continue };
    }
  }

  /** An object that is gone, or has been made anew since, counts as deleted. */
  async #delete(path: string, uid: string | undefined): Promise<void> {
    const body = {
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      ...(uid !== undefined && { preconditions: { uid } }),
    };
    try {
      await this.#json({ method: 'DELETE', path, body });
    } catch (error) {
      const isGone = error instanceof ClusterRefusal && (error.status === 404 || error.reason === 'Conflict');
      if (!isGone) throw error;
    }
  }

  async #json<T>(call: Call): Promise<T> {
    const timeout = signalAfter(TIMEOUT_MS);
    const signal = call.signal ? AbortSignal.any([call.signal, timeout]) : timeout;
    try {
      const response = await this.#open({ ...call, signal });
      return parse((await readBytes(response, MAX_BYTES, 'API server')).toString()) as T;
    } catch (error) {
      throw failureOf(error, call.signal);
    }
  }

  /** @returns the head of an answer below 400. A token that was rotated a moment ago is read anew at once. */
  async #open(call: Call, isAgain = false): Promise<IncomingMessage> {
    const credentials = await this.#readCredentials();
    const response = await this.#dial(call, credentials).catch((error: unknown) => {
      throw failureOf(error, call.signal);
    });
    const { statusCode = 0 } = response;
    if (statusCode < 300) return response;
    const refusal = await refusalOf(response);
    if (statusCode === 401) {
      this.#credentials.forget();
      if (!isAgain) return this.#open(call, true);
    }
    throw refusal;
  }

  async #readCredentials(): Promise<Credentials> {
    try {
      return await this.#credentials.get();
    } catch (error) {
      throw new ClusterUnreachable(
        `The credentials of the cluster cannot be read: ${(error as Error).message}`,
        { cause: error },
      );
    }
  }

  async #dial(
    { method = 'GET', path, query = {}, body, signal }: Call,
    { ca, token }: Credentials,
  ): Promise<IncomingMessage> {
    const namespace = await this.#access.namespace();
    const content = body === undefined ? undefined : JSON.stringify(body);
    const url = new URL(`${this.#access.url.replace(/\/+$/, '')}/api/v1/namespaces/${namespace}${path}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
    const request = httpsRequest(url, {
      agent: this.#agentOf(ca),
      method,
      headers: {
        Authorization: `Bearer ${token}`,
        Accept: 'application/json',
        ...(content && {
          'Content-Type': 'application/json',
          'Content-Length': Buffer.byteLength(content),
        }),
      },
      ...(signal && { signal }),
    });
    return headOf(request, content, TIMEOUT_MS);
  }

  #agentOf(ca: string): Agent {
    if (this.#agent?.ca !== ca) {
      this.#agent?.agent.destroy();
      const agent = new Agent({ ca, keepAlive: true, maxSockets: CONNECTIONS, timeout: IDLE_MS });
      this.#agent = { ca, agent };
    }
    return this.#agent.agent;
  }
}
