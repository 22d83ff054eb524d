import { at, textOf } from './json.ts';

/**
 * The control plane did not do what was asked. `status` is 0 when no usable answer came: no connection, too late,
 * or not JSON. `detail` is what it said to a 4xx, else empty.
 */
export class ControlPlaneError extends Error {
  readonly status: number;
  readonly detail: string;

  constructor(status: number, detail = '') {
    super(`The control plane answered ${status}`);
    this.name = 'ControlPlaneError';
    this.status = status;
    this.detail = detail;
  }

  /** A control plane that has no such route, unlike one that has no such row ("Staff not found"). */
  get isUnknownRoute(): boolean {
    return this.status === 404 && (/^(not found)?$/i.test(this.detail) || /\broute\b/i.test(this.detail));
  }
}

export interface CallOptions {
  /** Undefined and null values are left out. */
  query?: Record<string, string | number | null | undefined>;
  body?: unknown;
}

/** Path below `/internal/v1/instances/{instance_id}` → the parsed JSON of a 2xx. Throws ControlPlaneError. */
export type ControlPlane = (method: 'GET' | 'POST', path: string, options?: CallOptions) => Promise<unknown>;

export interface ControlPlaneSettings {
  controlPlaneUrl: string;
  instanceId: string;
  /** Asked at each call, since the key rotates. */
  proxyKey: () => string;
  timeoutMs: number;
}

/** Faults of a 422 in one line (`hours: Input should be …`), or the message of another 4xx. */
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

/** A client of the instance's internal routes, with its proxy key as the bearer credential (contract, section 3). */
export function createControlPlane(settings: ControlPlaneSettings): ControlPlane {
  const base = `${settings.controlPlaneUrl}/internal/v1/instances/${settings.instanceId}`;

  return async (method, path, { query = {}, body } = {}) => {
    const url = new URL(`${base}${path}`);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined && value !== null) url.searchParams.set(name, String(value));
    }
    const headers: Record<string, string> = { authorization: `Bearer ${settings.proxyKey()}` };
    if (body !== undefined) headers['content-type'] = 'application/json';
    let response: Response;
    let text: string;
    try {
      response = await fetch(url, {
        method,
        headers,
        body: body === undefined ? null : JSON.stringify(body),
        redirect: 'error',
        signal: AbortSignal.timeout(settings.timeoutMs),
      });
      text = await response.text();
    } catch {
      throw new ControlPlaneError(0);
    }
    const parsed = parse(text);
    if (!response.ok) throw new ControlPlaneError(response.status, detailOf(parsed));
    if (parsed === undefined && text !== '') throw new ControlPlaneError(0);
    return parsed;
  };
}
