import { type ControlPlane, ControlPlaneError } from '../control-plane.ts';
import type { Due } from '../due.ts';
import { type Log, reasonOf } from '../log.ts';
import type { Identity } from './identity.ts';

const hourMs = 3_600_000;

/** Something that is asked of the control plane at its time. */
export interface Task {
  /** How long until then; 0: now. */
  inMs: () => number;
  /** Does it, and plans the next time. Never rejects. */
  run: () => Promise<void>;
}

export interface TaskSettings {
  identity: Identity;
  /** Shows the identity's certificate. */
  controlPlane: ControlPlane;
  /** The address in the tunnel. */
  vpnIp: string;
  log: Log;
  /** Milliseconds. */
  now: () => number;
  /** From 0 to 1. */
  random: () => number;
}

/** The status, where the control plane answered at all. */
export const statusOf = (error: unknown): number | undefined =>
  error instanceof ControlPlaneError && error.status !== 0 ? error.status : undefined;

/** Who we say we are, or how we prove it, does not count. */
export const isRefusal = (error: unknown) => statusOf(error) === 401 || statusOf(error) === 403;

/** Plans another try: later and later, or when the control plane said. */
export function tryLater(log: Log, event: string, due: Due, error: unknown): void {
  const retryAfter = error instanceof ControlPlaneError ? error.retryAfterSeconds : undefined;
  if (retryAfter === undefined) due.retry();
  else due.notBefore(Math.min(retryAfter * 1000, hourMs));
  const status = statusOf(error);
  const again_in_s = Math.ceil(due.inMs() / 1000);
  // An instance that is not running yet is told 409 at every start.
  const level = status === 409 ? 'info' : 'warn';
  log[level](event, { status, error: status === undefined ? reasonOf(error) : undefined, again_in_s });
}
