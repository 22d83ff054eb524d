import type { RuntimeReason } from '../instances/runtime-state.contract.ts';
import type { Observed } from './engine.port.ts';

/** A runtime that was never up is given up after this many failures in a row. */
export const MAX_FAILURES = 4;

/** Then the engine is asked again to end it. */
const ENDS_WITHIN_MS = 30_000;

/** A retry does not help. */
const FINAL: ReadonlySet<RuntimeReason> = new Set(['spec_rejected', 'name_taken', 'identity_refused']);

/** By this exit code a runtime asks for a new identity, and so for another generation. */
const NEW_IDENTITY = 75;

/** The engine took it away, and its generation's identity may still be in use there. */
const TAKEN_AWAY: ReadonlySet<RuntimeReason> = new Set(['evicted', 'node_lost']);

export const asksForIdentity = (observed: Observed | undefined) =>
  observed?.phase === 'gone' && observed.exit_code === NEW_IDENTITY;

export interface Desired {
  wanted: boolean;
  generation: number;
  /** null: unknown, any will do. */
  spec_hash: string | null;
  /** When the start began, in milliseconds by the caller's clock. */
  since: number;
  /** Was up since the last request to start, and so is restarted without limit. */
  was_up: boolean;
  has_given_up: boolean;
  /** In a row. */
  failures: number;
  /** In the pause after a failure. */
  is_pausing: boolean;
  /** Another process began the start of this generation, and its call may still reach the engine. */
  is_begun_elsewhere: boolean;
  /** For a first start. */
  start_timeout_ms: number;
}

export type Action = 'ensure' | 'remove' | 'replace' | 'wait' | { fail: RuntimeReason };

/** `replace` increments the generation; the previous runtime is removed first, so an instance never has two. */
export function plan(desired: Desired, observed: Observed | undefined, now: number): Action {
  if (observed && observed.phase !== 'gone') return planForExisting(desired, observed, now);
  if (!desired.wanted || desired.has_given_up) return 'wait';
  const current = observed?.generation === desired.generation ? observed : undefined;
  const needsIdentity = asksForIdentity(current);
  const reason = needsIdentity && !desired.was_up ? 'identity_refused' : (current?.reason ?? null);
  // The engine has tried for as long as it makes sense.
  if (reason === 'image_pull_failed' && !desired.was_up) return { fail: reason };
  const failed = failureOf(desired, reason, now);
  if (failed) return { fail: failed };
  if (desired.is_pausing) return 'wait';
  if (!current) return desired.is_begun_elsewhere ? 'replace' : 'ensure';
  return needsIdentity || (reason && TAKEN_AWAY.has(reason)) ? 'replace' : 'ensure';
}

/** The engine cannot be reached: nothing changes, but a first start may take too long. */
export function planUnreached(desired: Desired, now: number): Action {
  const isStarting = desired.wanted && !desired.was_up && !desired.has_given_up;
  return isStarting && isLate(desired, now) ? { fail: 'cluster_unreachable' } : 'wait';
}

function planForExisting(desired: Desired, observed: Observed, now: number): Action {
  if (observed.phase === 'ending') {
    // A clock that was set back must not make it wait for longer.
    return Math.abs(now - observed.at) < ENDS_WITHIN_MS ? 'wait' : 'remove';
  }
  if (!desired.wanted || desired.has_given_up || observed.generation !== desired.generation) return 'remove';
  if (desired.spec_hash !== null && observed.spec_hash !== desired.spec_hash) return 'replace';
  if (observed.phase === 'up') return 'wait';
  // An engine's own restarts are failures of one generation.
  const failures = Math.max(desired.failures, observed.restarts);
  const failed = failureOf({ ...desired, failures }, observed.reason, now);
  return failed ? { fail: failed } : 'wait';
}

function failureOf(desired: Desired, reason: RuntimeReason | null, now: number): RuntimeReason | undefined {
  if (desired.was_up) return undefined;
  if (reason && (FINAL.has(reason) || desired.failures >= MAX_FAILURES)) return reason;
  return isLate(desired, now) ? (reason ?? 'start_timeout') : undefined;
}

const isLate = ({ since, start_timeout_ms }: Desired, now: number) => now - since >= start_timeout_ms;
