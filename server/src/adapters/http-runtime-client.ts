import type { RuntimeClient } from '../instances/runtime-client.port.ts';

const HEALTH_TIMEOUT_MS = 2_000;
const SECRETS_TIMEOUT_MS = 10_000;
const MESSAGE_TIMEOUT_MS = 30_000;

interface Call {
  method: 'GET' | 'PUT' | 'POST';
  path: string;
  timeoutMs: number;
  /** Absent for GET /health, as is the body. */
  messageSecret?: string;
  body?: unknown;
}

/** Calls runtimes over HTTP (contract, section 7). Only the status of a response counts; bodies are not read. */
export class HttpRuntimeClient implements RuntimeClient {
  async isHealthy(address: string): Promise<boolean> {
    try {
      await call(address, { method: 'GET', path: '/health', timeoutMs: HEALTH_TIMEOUT_MS });
      return true;
    } catch {
      return false;
    }
  }

  async putSecrets(address: string, messageSecret: string, secrets: unknown): Promise<void> {
    const timeoutMs = SECRETS_TIMEOUT_MS;
    await call(address, { method: 'PUT', path: '/secrets', timeoutMs, messageSecret, body: secrets });
  }

  async postMessage(address: string, messageSecret: string, message: unknown): Promise<void> {
    const timeoutMs = MESSAGE_TIMEOUT_MS;
    await call(address, { method: 'POST', path: '/messages', timeoutMs, messageSecret, body: message });
  }
}

/** Rejects unless the response is 2xx. The message names the call and the status, never a request or response body. */
async function call(address: string, { method, path, timeoutMs, messageSecret, body }: Call): Promise<void> {
  const response = await fetch(`${address}${path}`, {
    method,
    headers: {
      ...(messageSecret !== undefined && { authorization: `Bearer ${messageSecret}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    // The secret is for this runtime only.
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  }).catch((error: unknown) => {
    // Not as the cause: the error quotes an invalid header, which holds the secret.
    throw new Error(`The runtime did not answer ${method} ${path}: ${reasonOf(error, timeoutMs)}`);
  });
  await response.body?.cancel().catch(() => {});
  if (!response.ok) throw new Error(`The runtime answered ${method} ${path} with ${response.status}`);
}

/** `ECONNREFUSED`, `nothing within 30 s`, or the error's name. */
function reasonOf(error: unknown, timeoutMs: number): string {
  if (!(error instanceof Error)) return 'unknown';
  if (error.name === 'TimeoutError') return `nothing within ${timeoutMs / 1000} s`;
  const { cause } = error;
  return cause instanceof Error && 'code' in cause ? String(cause.code) : error.name;
}
