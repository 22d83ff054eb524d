import type { InboundMessage } from './inbound-message.ts';
import { at, textOf } from './json.ts';
import type { HttpResponse, Transport } from './transport.ts';

/**
 * `status` is 0 without a usable response (no connection, timeout, not JSON); then `cause` may hold the reason. `detail` is
 * the message of a 4xx, else empty.
 */
export class ControlPlaneError extends Error {
  readonly status: number;
  readonly detail: string;
  /** From Retry-After. */
  readonly retryAfterSeconds: number | undefined;
  /** The control plane was not reached, or only asked, so the message may be tried again. */
  readonly isCutOff: boolean;

  constructor(
    status: number,
    detail = '',
    more: { retryAfterSeconds?: number; cause?: unknown; isCutOff?: boolean } = {},
  ) {
    super(`The control plane answered ${status}`, { cause: more.cause });
    this.name = 'ControlPlaneError';
    this.status = status;
    this.detail = detail;
    this.retryAfterSeconds = more.retryAfterSeconds;
    this.isCutOff = more.isCutOff ?? false;
  }

  /** Refused, because the customer does not know the sender. */
  get isForKnownSenders(): boolean {
    return this.status === 403 && this.detail === 'not_introduced';
  }

  /** Set when an enforced PIN policy refused the call. */
  get pinRefusal(): 'pin_required' | 'pin_not_set' | undefined {
    if (this.status !== 403) return undefined;
    return this.detail === 'pin_required' || this.detail === 'pin_not_set' ? this.detail : undefined;
  }

  /** True for a missing route, false for a missing row ("Staff not found"). */
  get isUnknownRoute(): boolean {
    return this.status === 404 && (/^(not found)?$/i.test(this.detail) || /\broute\b/i.test(this.detail));
  }
}

export interface CallOptions {
  /** Without undefined and null values. */
  query?: Record<string, string | number | null | undefined>;
  body?: unknown;
  headers?: Record<string, string>;
  /** Instead of the usual one. */
  timeoutMs?: number;
  /** The result is a Buffer instead of JSON. */
  isBinary?: true;
}

/** @param path below `/internal/v1/instances/{instance_id}` @returns the JSON of a 2xx; throws ControlPlaneError */
export type ControlPlane = (method: 'GET' | 'POST', path: string, options?: CallOptions) => Promise<unknown>;

interface ControlPlaneSettings {
  baseUrl: string;
  instanceId: string;
  transport: Transport;
  /** Read at each call, because the key rotates. */
  proxyKey: () => string;
  timeoutMs: number;
}

/** All errors of a 422 in one line (`hours: Input should be …`), or the message of another 4xx. */
function detailOf(body: unknown): string {
  const detail = at(body, 'detail');
  if (!Array.isArray(detail)) return textOf(detail) ?? '';
  const lines = detail.map((fault: unknown) => {
    const loc = at(fault, 'loc');
    const field = Array.isArray(loc) ? textOf(loc.at(-1)) : undefined;
    return [field, textOf(at(fault, 'msg'))].filter((part) => part !== undefined).join(': ');
  });
  return lines.filter((line) => line !== '').join('; ');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A slow route is not an outage. */
function isSafeToRepeat(method: string, error: unknown): boolean {
  const isLate = error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError');
  return !isLate && (method === 'GET' || textOf(at(error, 'code')) === 'ECONNREFUSED');
}

/** Internal routes, with the proxy key as bearer token (contract, section 3). */
export function createControlPlane(settings: ControlPlaneSettings): ControlPlane {
  const base = `${settings.baseUrl}/internal/v1/instances/${settings.instanceId}`;

  return async (method, path, { query = {}, body, headers: own = {}, timeoutMs, isBinary } = {}) => {
    const url = new URL(`${base}${path}`);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined && value !== null) url.searchParams.set(name, String(value));
    }
    const headers: Record<string, string> = { ...own, authorization: `Bearer ${settings.proxyKey()}` };
    if (body !== undefined) headers['content-type'] = 'application/json';
    const text = body === undefined ? undefined : JSON.stringify(body);
    const outgoing = { method, headers, body: text, timeoutMs: timeoutMs ?? settings.timeoutMs };
    const reply = await settings.transport(url, outgoing).catch((cause: unknown) => {
      throw new ControlPlaneError(0, '', { cause, isCutOff: isSafeToRepeat(method, cause) });
    });
    const isOk = reply.status >= 200 && reply.status <= 299;
    if (isOk && isBinary) return reply.bytes;
    const parsed = parse(reply.bytes.toString());
    if (!isOk) throw refusal(reply, parsed);
    if (parsed === undefined && reply.bytes.length > 0) throw new ControlPlaneError(0);
    return parsed;
  };
}

export const withHeaders =
  (controlPlane: ControlPlane, headers: Record<string, string>): ControlPlane =>
  (method, path, options = {}) =>
    controlPlane(method, path, { ...options, headers: { ...headers, ...options.headers } });

/** On behalf of the message's sender (contract, section 17). */
export const forMessage = (
  controlPlane: ControlPlane,
  { sender_token, trace }: InboundMessage,
): ControlPlane =>
  withHeaders(controlPlane, {
    ...trace,
    ...(sender_token !== undefined && { 'x-sender-token': sender_token }),
  });

function refusal({ status, headers }: HttpResponse, parsed: unknown): ControlPlaneError {
  const seconds = Number.parseInt(headers['retry-after'] ?? '', 10);
  return new ControlPlaneError(status, detailOf(parsed), seconds >= 0 ? { retryAfterSeconds: seconds } : {});
}

/**
 * After a 401, refreshes the secrets and repeats the call once if the proxy key has changed. A refused call had no effect, so
 * any call may be repeated.
 */
export function withKeyRotation(
  controlPlane: ControlPlane,
  proxyKey: () => string,
  refreshSecrets: () => Promise<void>,
): ControlPlane {
  return async (method, path, options) => {
    const used = proxyKey();
    try {
      return await controlPlane(method, path, options);
    } catch (error) {
      if (!(error instanceof ControlPlaneError) || error.status !== 401) throw error;
      if (proxyKey() === used) await refreshSecrets();
      if (proxyKey() === used) throw error;
      return await controlPlane(method, path, options);
    }
  };
}
