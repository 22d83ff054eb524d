import type { DeployRequest, Fault, InstanceEvent, MissingConnection } from './generated/shapes.ts';

const MAX_DETAIL_LENGTH = 300;

/** Whatever the client throws of its own accord, but for a programmer's mistakes (TypeError). */
export class ControlPlaneError extends Error {
  override readonly name: string = 'ControlPlaneError';
}

/** The server refused a request; the message says which, why, and by which id its log knows it. */
export class ApiError extends ControlPlaneError {
  override readonly name = 'ApiError';
  /** The operationId. */
  readonly operation: string;
  readonly status: number;
  /** What the server says, in one line. */
  readonly detail: string;
  /** What is wrong with the request, field by field; empty but for 422. */
  readonly faults: readonly Fault[];
  /** The answer's X-Request-Id. */
  readonly requestId: string | undefined;
  /** How long the server asks to wait before another attempt (Retry-After). */
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

/** No answer, half an answer, or one that is not of this API. Whether the request was carried out is not known. */
export class ConnectionError extends ControlPlaneError {
  override readonly name = 'ConnectionError';
}

/** Nothing was deployed: connections are missing. */
export class NotReadyError extends ControlPlaneError {
  override readonly name = 'NotReadyError';
  readonly missing_connections: MissingConnection[];

  constructor({ recipe_id }: DeployRequest, missing: MissingConnection[]) {
    const wanted = missing.map(({ provider, reason }) => `${provider} (${reason})`).join(', ');
    super(`Recipe ${recipe_id} was not deployed: the customer’s connections are wanting: ${wanted}`);
    this.missing_connections = missing;
  }
}

/** The instance cannot get to run any more, unless it is retried. */
export class InstanceFailedError extends ControlPlaneError {
  override readonly name = 'InstanceFailedError';
  readonly instance_id: string;
  readonly status: InstanceEvent['to'];
  /** The last line of the instance's log; its message is what the failing step said. */
  readonly event: InstanceEvent;

  constructor(instance_id: string, event: InstanceEvent) {
    super(`Instance ${instance_id} is ${event.to}: ${event.message ?? 'no reason given'}`);
    this.instance_id = instance_id;
    this.status = event.to;
    this.event = event;
  }
}

/** The instance may still get to run; it was not waited for any longer. */
export class WaitTimeoutError extends ControlPlaneError {
  override readonly name = 'WaitTimeoutError';
  readonly instance_id: string;

  constructor(instance_id: string, timeoutMs: number, last: InstanceEvent | undefined) {
    const at = last ? `${last.to}, its last word: ${last.message ?? last.step ?? last.to}` : 'silent';
    super(`Instance ${instance_id} was not running after ${timeoutMs} ms: it is ${at}`);
    this.instance_id = instance_id;
  }
}

/** What an error body says, in one line, and its faults (specification, section 7). Anything may come from a proxy. */
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

/** Seconds or a date (RFC 9110, section 10.2.3), as milliseconds from now. */
export function retryAfterMs(value: string | null): number | undefined {
  if (value === null) return undefined;
  if (/^\s*\d+\s*$/.test(value)) return Number(value) * 1000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}
