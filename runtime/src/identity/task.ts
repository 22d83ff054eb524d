import { type ControlPlane, ControlPlaneError } from '../control-plane.ts';
import type { Due } from '../due.ts';
import { type Log, reasonOf } from '../log.ts';
import type { Identity } from './identity.ts';

const hourMs = 3_600_000;

/** A scheduled call of the control plane. */
export interface Task {
  /** 0 when due. */
  inMs: () => number;
  /** Makes the call and schedules the next. Never rejects. */
  run: () => Promise<void>;
}

export interface TaskSettings {
  identity: Identity;
  /** With the identity's certificate. */
  controlPlane: ControlPlane;
  vpnIp: string;
  /** The control plane refuses an older one than it knows. */
  generation: number | undefined;
  log: Log;
  /** Milliseconds. */
  now: () => number;
  /** From 0 to 1. */
  random: () => number;
}

/** undefined: no response. */
export const statusOf = (error: unknown): number | undefined =>
  error instanceof ControlPlaneError && error.status !== 0 ? error.status : undefined;

/** The control plane refused the credential. */
export const isRefusal = (error: unknown) => statusOf(error) === 401 || statusOf(error) === 403;

/** After Retry-After, or with backoff. */
export function tryLater(log: Log, event: string, due: Due, error: unknown): void {
  const retryAfter = error instanceof ControlPlaneError ? error.retryAfterSeconds : undefined;
  if (retryAfter === undefined) due.retry();
  else due.notBefore(Math.min(retryAfter * 1000, hourMs));
  const status = statusOf(error);
  const again_in_s = Math.ceil(due.inMs() / 1000);
  // 409 is normal at a start: the instance is not running yet.
  const level = status === 409 ? 'info' : 'warn';
  log[level](event, { status, error: status === undefined ? reasonOf(error) : undefined, again_in_s });
}
