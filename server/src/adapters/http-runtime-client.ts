import { isJsonObject } from '../platform/json/json-object.ts';
import { signalAfter } from '../platform/signal-after.ts';
import { type Trace, traceHeaders } from '../platform/tracing.ts';
import type { RuntimeClient, RuntimeTrust } from '../runtimes/runtime-client.port.ts';
import { boundedFetch } from './bounded-fetch.ts';
import { fetchRuntime } from './process-engine/connections.ts';
import { NotTheRuntime, runtimeUrl } from './runtime-pools.ts';
import { TlsRuntimes } from './tls-runtimes.ts';

const HEALTH_TIMEOUT_MS = 2_000;
const SECRETS_TIMEOUT_MS = 10_000;
const MESSAGE_TIMEOUT_MS = 30_000;
const MAX_REFUSAL_BYTES = 16 * 1024;
const MAX_REASON_LENGTH = 1000;

interface Call {
  method: 'GET' | 'PUT' | 'POST';
  path: string;
  timeoutMs: number;
  /** GET /health has neither secret nor body. */
  messageSecret?: string;
  body?: unknown;
  trace?: Trace | undefined;
  /** The error quotes the response. Off for secrets, which a response may repeat. */
  quotes?: boolean;
}

/** Contract, section 7. Reads only the status of a response, and the text of an error. */
export class HttpRuntimeClient implements RuntimeClient {
  readonly #overTls: TlsRuntimes;
  readonly #send: typeof fetch;

  constructor(trust: RuntimeTrust) {
    this.#overTls = new TlsRuntimes(trust);
    this.#send = boundedFetch(MAX_REFUSAL_BYTES, (input, init) => {
      const { protocol } = new URL(input instanceof Request ? input.url : input);
      return protocol === 'https:' ? this.#overTls.fetch(input, init) : fetchRuntime(input, init);
    });
  }

  /** Breaks off what is under way. */
  close(): Promise<void> {
    return this.#overTls.close();
  }

  async isHealthy(address: string): Promise<boolean> {
    try {
      await call(this.#send, address, { method: 'GET', path: '/health', timeoutMs: HEALTH_TIMEOUT_MS });
      return true;
    } catch {
      return false;
    }
  }

  async whyUnhealthy(address: string): Promise<string> {
    try {
      await call(this.#send, address, {
        method: 'GET',
        path: '/health',
        timeoutMs: HEALTH_TIMEOUT_MS,
        quotes: true,
      });
      return '';
    } catch (error) {
      return error instanceof Error ? error.message : '';
    }
  }

  async putSecrets(address: string, messageSecret: string, secrets: unknown): Promise<void> {
    const timeoutMs = SECRETS_TIMEOUT_MS;
    await call(this.#send, address, {
      method: 'PUT',
      path: '/secrets',
      timeoutMs,
      messageSecret,
      body: secrets,
    });
  }

  async postMessage(address: string, messageSecret: string, message: unknown, trace?: Trace): Promise<void> {
    const timeoutMs = MESSAGE_TIMEOUT_MS;
    await call(this.#send, address, {
      method: 'POST',
      path: '/messages',
      timeoutMs,
      messageSecret,
      body: message,
      trace,
      quotes: true,
    });
  }
}

/** Rejects unless the response is 2xx. The error's message has the call, the status and, with `quotes`, the reason. */
async function call(send: typeof fetch, address: string, request: Call): Promise<void> {
  const { method, path, timeoutMs, messageSecret, body, trace, quotes = false } = request;
  const response = await send(runtimeUrl(address, path), {
    method,
    headers: {
      ...traceHeaders(trace),
      ...(messageSecret !== undefined && { authorization: `Bearer ${messageSecret}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: signalAfter(timeoutMs),
  }).catch((error: unknown) => {
    // Without a cause: Node's error quotes an invalid header, which holds the secret.
    throw new Error(`The runtime did not answer ${method} ${path}: ${reasonOf(error, timeoutMs)}`);
  });
  const isQuoted = quotes && response.status >= 400;
  const reason = isQuoted ? refusalReason(await response.text().catch(() => '')) : '';
  if (!isQuoted) await response.body?.cancel().catch(() => {});
  if (response.ok) return;
  throw new Error(`The runtime answered ${method} ${path} with ${response.status}${reason && `: ${reason}`}`);
}

/** `detail`, `error`, `message` or `reason` of JSON, else the whole text. Empty for a proxy's page. */
function refusalReason(body: string): string {
  const answer = parse(body);
  const reason = isJsonObject(answer)
    ? [answer.detail, answer.error, answer.message, answer.reason].find((text) => typeof text === 'string')
    : body;
  const text = typeof reason === 'string' ? reason.trim() : '';
  return text.startsWith('<') ? '' : text.slice(0, MAX_REASON_LENGTH);
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** The message of NotTheRuntime, `nothing within 30 s`, a code such as `ECONNREFUSED`, or the error's name. */
function reasonOf(error: unknown, timeoutMs: number): string {
  if (!(error instanceof Error)) return 'unknown';
  if (error.name === 'TimeoutError') return `nothing within ${timeoutMs / 1000} s`;
  const { cause } = error;
  if (cause instanceof NotTheRuntime) return cause.message;
  if (!(cause instanceof Error)) return error.name;
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.name;
}
