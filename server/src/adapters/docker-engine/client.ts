import {
  type ClientRequest,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http';
import { request as httpsRequest } from 'node:https';
import { signalAfter } from '../../platform/signal-after.ts';
import { headOf, isTimeout, readBytes } from '../remote-engine/answers.ts';
import { linesOf } from '../remote-engine/lines.ts';
import { DockerRefusal, DockerUnreachable } from './failures.ts';

export interface DockerEndpoint {
  /** `unix:///var/run/docker.sock`, or `tcp://host:port` with `tls`. */
  endpoint: string;
  tls?: { ca: string; cert: string; key: string };
}

interface Call {
  method?: 'GET' | 'POST' | 'DELETE';
  path: string;
  /** Objects are sent as JSON. */
  query?: Readonly<Record<string, string | number | object>>;
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
  signal?: AbortSignal;
  /** For the whole answer; for a stream until its head. */
  timeoutMs?: number;
}

const TIMEOUT_MS = 30_000;
/** A list of 5,000 containers has about 15 MiB. */
const MAX_BYTES = 32 * 1024 * 1024;
const MAX_LINE = 1024 * 1024;
const MAX_MESSAGE = 500;
const OLDEST = 41;
const NEWEST = 51;

/** Talks to the daemon of Docker or Podman. Each call has a connection of its own, so none is reused after a restart. */
export class DockerClient {
  readonly #target: RequestOptions;
  readonly #host: Record<string, string>;
  readonly #request: (options: RequestOptions) => ClientRequest;
  #version: Promise<number> | undefined;

  constructor({ endpoint, tls }: DockerEndpoint) {
    const { protocol, hostname, port, pathname } = new URL(endpoint);
    const isSocket = protocol === 'unix:';
    this.#target = isSocket
      ? { socketPath: decodeURIComponent(pathname) }
      : { host: hostname.replace(/^\[|\]$/g, ''), port: port || 2376, ...tls };
    this.#host = isSocket ? { Host: 'docker' } : {};
    this.#request = isSocket ? httpRequest : httpsRequest;
  }

  /** The minor number of the API's version that both sides know. */
  version(): Promise<number> {
    const asked = this.#version ?? this.#negotiate();
    this.#version = asked;
    asked.catch(() => this.forgetVersion());
    return asked;
  }

  /** The daemon may have been updated. */
  forgetVersion(): void {
    this.#version = undefined;
  }

  async get<T>(path: string, query: Call['query'] = {}): Promise<T> {
    const { status, text } = await this.#answer({ path, query });
    if (status !== 200) throw refusal(status, text);
    return parse(text) as T;
  }

  /** undefined: there is none. */
  async find<T>(path: string): Promise<T | undefined> {
    const { status, text } = await this.#answer({ path });
    if (status === 404) return undefined;
    if (status !== 200) throw refusal(status, text);
    return parse(text) as T;
  }

  /** @param tolerated statuses that are no failure besides those below 400 */
  async send(call: Call, ...tolerated: number[]): Promise<number> {
    const { status, text } = await this.#answer(call);
    if (status >= 400 && !tolerated.includes(status)) throw refusal(status, text);
    return status;
  }

  /** At most `maxBytes`. */
  async bytes(path: string, query: Call['query'], maxBytes: number): Promise<Buffer> {
    const { status, bytes } = await this.#read({ path, ...(query && { query }) }, maxBytes);
    if (status !== 200) throw refusal(status, bytes.toString());
    return bytes;
  }

  /** The lines of an answer in JSON, as they come. Ends with the answer. Leaving the loop ends the call. */
  async *lines<T>(call: Call, onOpen?: () => void): AsyncGenerator<T> {
    const response = await this.#open(call);
    if (response.statusCode !== 200) {
      throw refusal(response.statusCode ?? 0, (await readBytes(response, MAX_LINE, 'daemon')).toString());
    }
    onOpen?.();
    try {
      for await (const line of linesOf(response, MAX_LINE, 'daemon')) yield parse(line) as T;
    } catch (error) {
      throw failureOf(error, call.signal);
    } finally {
      response.destroy();
    }
  }

  async #answer(call: Call): Promise<{ status: number; text: string }> {
    const { status, bytes } = await this.#read(call, MAX_BYTES);
    return { status, text: bytes.toString() };
  }

  async #read(call: Call, maxBytes: number): Promise<{ status: number; bytes: Buffer }> {
    const timeout = signalAfter(call.timeoutMs ?? TIMEOUT_MS);
    const signal = call.signal ? AbortSignal.any([call.signal, timeout]) : timeout;
    const response = await this.#open({ ...call, signal });
    try {
      return { status: response.statusCode ?? 0, bytes: await readBytes(response, maxBytes, 'daemon') };
    } catch (error) {
      throw failureOf(error, call.signal);
    }
  }

  async #open(call: Call): Promise<IncomingMessage> {
    return this.#dial({ ...call, path: `/v1.${await this.version()}${call.path}` });
  }

  #dial({ method = 'GET', path, query = {}, body, headers, signal, timeoutMs = TIMEOUT_MS }: Call) {
    const content = body === undefined ? undefined : JSON.stringify(body);
    const request = this.#request({
      ...this.#target,
      agent: false,
      method,
      path: path + queryOf(query),
      headers: {
        ...this.#host,
        ...(content && {
          'Content-Type': 'application/json',
          'Content-Length': Buffer.byteLength(content),
        }),
        ...headers,
      },
      ...(signal && { signal }),
    });
    return headOf(request, content, timeoutMs).catch((error: unknown) => {
      throw failureOf(error, signal);
    });
  }

  async #negotiate(): Promise<number> {
    const response = await this.#dial({ path: '/_ping' });
    const offered = /^1\.(\d{1,4})$/.exec(String(response.headers['api-version']))?.[1];
    response.destroy();
    if (offered === undefined) throw new DockerUnreachable('No daemon of Docker or Podman answers there');
    if (Number(offered) < OLDEST) {
      throw new DockerUnreachable(`The daemon speaks API 1.${offered}; 1.${OLDEST} is the oldest one`);
    }
    return Math.min(Number(offered), NEWEST);
  }
}

function queryOf(query: NonNullable<Call['query']>): string {
  const texts = Object.entries(query).map(([name, value]): [string, string] => [
    name,
    typeof value === 'object' ? JSON.stringify(value) : String(value),
  ]);
  return texts.length === 0 ? '' : `?${new URLSearchParams(texts).toString()}`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new DockerUnreachable('The answer of the daemon is not JSON');
  }
}

function refusal(status: number, text: string): DockerRefusal {
  const [, quoted] = /"message"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(text.slice(0, MAX_LINE)) ?? [];
  const message = quoted === undefined ? text : String(parse(quoted));
  return new DockerRefusal(status, `${status}: ${message.trim().slice(0, MAX_MESSAGE)}`);
}

/** The caller's own abort is not a failure of the daemon. */
function failureOf(error: unknown, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted && !isTimeout(signal.reason)) return signal.reason;
  if (error instanceof DockerUnreachable || error instanceof DockerRefusal) return error;
  const cause = isTimeout(signal?.reason) ? signal?.reason : error;
  return new DockerUnreachable(`The daemon does not answer: ${(cause as Error).message}`, { cause });
}
