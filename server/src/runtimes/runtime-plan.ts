import type { RuntimeReason } from '../instances/runtime-state.contract.ts';
import type { Observed } from './engine.port.ts';

/** How long a runtime may take until it is up for the first time. */
export const START_TIMEOUT_MS = 300_000;
/** Failed starts in a row after which a runtime that was never up is given up. */
export const MAX_FAILURES = 4;

/** After this time an end is asked for again. */
const ENDS_WITHIN_MS = 30_000;

/** The reasons that time does not heal. */
const FINAL: ReadonlySet<RuntimeReason> = new Set(['spec_rejected', 'name_taken', 'identity_refused']);

/** Ends with this code ask for a new identity, and so for another generation. */
const NEW_IDENTITY = 75;

/** The runtime that an instance should have. */
export interface Desired {
  wanted: boolean;
  generation: number;
  /** null: not known, so any will do. */
  spec_hash: string | null;
  /** When its start began, like all times in milliseconds by the clock of the caller. */
  since: number;
  /** It was up since it was last asked to start, so it is restarted without limit. */
  was_up: boolean;
  has_given_up: boolean;
  /** Failures in a row. */
  failures: number;
  /** The pause after a failure is not over. */
  is_pausing: boolean;
}

export type Action = 'ensure' | 'remove' | 'replace' | 'wait' | { fail: RuntimeReason };

/**
 * Decides the next action for one runtime. `replace` begins another generation, the former of which
 * is then removed, so never two of an instance are up.
 */
export function plan(desired: Desired, observed: Observed | undefined, now: number): Action {
  if (observed && observed.phase !== 'gone') return planForOneThatIs(desired, observed, now);
  if (!desired.wanted || desired.has_given_up) return 'wait';
  const isOfNow = observed?.generation === desired.generation;
  const failed = failureOf(desired, isOfNow ? observed.reason : null, now);
  if (failed) return { fail: failed };
  if (desired.is_pausing) return 'wait';
  return isOfNow && observed.exit_code === NEW_IDENTITY ? 'replace' : 'ensure';
}

function planForOneThatIs(desired: Desired, observed: Observed, now: number): Action {
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
