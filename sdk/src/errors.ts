import type { DeployRequest, Fault, InstanceEvent, MissingConnection } from './generated/shapes.ts';

const MAX_DETAIL_LENGTH = 300;

/** The base of all errors of this client, except TypeError for wrong use. */
export class ControlPlaneError extends Error {
  override readonly name: string = 'ControlPlaneError';
}

/** The server refused a request. The message has the operation, the reason and the request's id. */
export class ApiError extends ControlPlaneError {
  override readonly name = 'ApiError';
  readonly operation: string;
  readonly status: number;
  /** The server's reason, in one line. */
  readonly detail: string;
  /** Errors of single fields, for 422. */
  readonly faults: readonly Fault[];
  /** The X-Request-Id, as in the server's log. */
  readonly requestId: string | undefined;
  /** From Retry-After. */
  readonly retryAfterMs: number | undefined;

  constructor(request: { operation: string; line: string }, response: Response, text: string) {
    const { detail, faults } = readDetail(text);
    const requestId = response.headers.get('x-request-id') ?? undefined;
    const reference = requestId === undefined ? '' : ` (X-Request-Id ${requestId})`;
    super(`${request.line} answered ${response.status}: ${detail}${reference}`);
    this.operation = request.operation;
    this.status = response.status;
    this.detail = detail;
    this.faults = faults;
    this.requestId = requestId;
    this.retryAfterMs = retryAfterMs(response.headers.get('retry-after'));
  }
}

/** No response, an incomplete one, or one of another service. The request may have been carried out. */
export class ConnectionError extends ControlPlaneError {
  override readonly name = 'ConnectionError';
}

/** Nothing was deployed: connections are missing. */
export class NotReadyError extends ControlPlaneError {
  override readonly name = 'NotReadyError';
  readonly missing_connections: MissingConnection[];

  constructor({ recipe_id }: DeployRequest, missing: MissingConnection[]) {
    const wanted = missing.map(({ provider, reason }) => `${provider} (${reason})`).join(', ');
    super(`Recipe ${recipe_id} was not deployed: the customer lacks connections: ${wanted}`);
    this.missing_connections = missing;
  }
}

export class InstanceFailedError extends ControlPlaneError {
  override readonly name = 'InstanceFailedError';
  readonly instance_id: string;
  readonly status: InstanceEvent['to'];
  /** Has the message of the failed step. */
  readonly event: InstanceEvent;

  constructor(instance_id: string, event: InstanceEvent) {
    super(`Instance ${instance_id} is ${event.to}: ${event.message ?? 'no reason given'}`);
    this.instance_id = instance_id;
    this.status = event.to;
    this.event = event;
  }
}

/** The instance may still run later. */
export class WaitTimeoutError extends ControlPlaneError {
  override readonly name = 'WaitTimeoutError';
  readonly instance_id: string;

  constructor(instance_id: string, timeoutMs: number, last: InstanceEvent | undefined) {
    const state = last ? `${last.to} (${last.message ?? last.step ?? last.to})` : 'unknown';
    super(`Instance ${instance_id} was not running after ${timeoutMs} ms; its state is ${state}`);
    this.instance_id = instance_id;
  }
}

/** See specification, section 7. A proxy may send anything. */
function readDetail(text: string): { detail: string; faults: readonly Fault[] } {
  const detail = detailOf(text);
  const faults = Array.isArray(detail) ? detail.filter(isFault) : [];
  const listed = faults.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; ');
  const words = listed || (typeof detail === 'string' ? detail : text);
  const line = words.replace(/\s+/g, ' ').trim().slice(0, MAX_DETAIL_LENGTH);
  return { detail: line || 'no reason given', faults };
}

function detailOf(text: string): unknown {
  try {
    return (JSON.parse(text) as { detail?: unknown } | null)?.detail;
  } catch {
    return undefined;
  }
}

const isFault = (value: unknown): value is Fault =>
  typeof value === 'object' && value !== null && 'loc' in value && Array.isArray(value.loc) && 'msg' in value;

/** Parses seconds or a date (RFC 9110, section 10.2.3) to milliseconds from now. */
export function retryAfterMs(value: string | null): number | undefined {
  if (value === null) return undefined;
  if (/^\s*\d+\s*$/.test(value)) return Number(value) * 1000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}
