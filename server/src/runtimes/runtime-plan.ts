import type { RuntimeReason } from '../instances/runtime-state.contract.ts';
import type { Observed } from './engine.port.ts';

/** Until it is up for the first time. */
export const START_TIMEOUT_MS = 300_000;
/** A runtime that was never up is given up after this many failures in a row. */
export const MAX_FAILURES = 4;

/** Then the engine is asked again to end it. */
const ENDS_WITHIN_MS = 30_000;

/** A retry does not help. */
const FINAL: ReadonlySet<RuntimeReason> = new Set(['spec_rejected', 'name_taken', 'identity_refused']);

/** By this exit code a runtime asks for a new identity, and so for another generation. */
const NEW_IDENTITY = 75;

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
}

export type Action = 'ensure' | 'remove' | 'replace' | 'wait' | { fail: RuntimeReason };

/** `replace` increments the generation; the previous runtime is removed first, so an instance never has two. */
export function plan(desired: Desired, observed: Observed | undefined, now: number): Action {
  if (observed && observed.phase !== 'gone') return planForExisting(desired, observed, now);
  if (!desired.wanted || desired.has_given_up) return 'wait';
  const isCurrent = observed?.generation === desired.generation;
  const failed = failureOf(desired, isCurrent ? observed.reason : null, now);
  if (failed) return { fail: failed };
  if (desired.is_pausing) return 'wait';
  return isCurrent && observed.exit_code === NEW_IDENTITY ? 'replace' : 'ensure';
}

function planForExisting(desired: Desired, observed: Observed, now: number): Action {
  if (observed.phase === 'ending') return now - observed.at < ENDS_WITHIN_MS ? 'wait' : 'remove';
  if (!desired.wanted || desired.has_given_up || observed.generation !== desired.generation) return 'remove';
  if (desired.spec_hash !== null && observed.spec_hash !== desired.spec_hash) return 'replace';
  if (observed.phase === 'up') return 'wait';
  const failed = failureOf(desired, observed.reason, now);
  return failed ? { fail: failed } : 'wait';
}

function failureOf(
  { was_up, failures, since }: Desired,
  reason: RuntimeReason | null,
  now: number,
): RuntimeReason | undefined {
  if (was_up) return undefined;
  if (reason && (FINAL.has(reason) || failures >= MAX_FAILURES)) return reason;
  return now - since >= START_TIMEOUT_MS ? (reason ?? 'start_timeout') : undefined;
}
