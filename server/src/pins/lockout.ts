/**
 * Contract, sections 5 and 17. Every fifth wrong try in a row of one caller locks that caller, every twentieth of all
 * locks the PIN. Each lock lasts twice as long as the one before; the hundredth try is the last (NIST SP 800-63B-4,
 * section 3.2.2).
 */
export interface AttemptState {
  /** Wrong ones since the last right PIN or reset. */
  attempts: number;
  locked_until: Date | null;
}

export interface LockState {
  /** All callers together. */
  pin: AttemptState;
  /** This caller alone. */
  own: AttemptState;
}

export const OWN_TRIES_UNTIL_LOCK = 5;
export const PIN_TRIES_UNTIL_LOCK = 20;
export const TRIES_IN_A_ROW = 100;
const FIRST_LOCK_MINUTES = 15;
const LONGEST_LOCK_MINUTES = 24 * 60;

/** Minutes after the `nth` try in a row (from 1); null for none. */
export function lockMinutes(nth: number, until: number): number | null {
  if (nth % until !== 0) return null;
  return Math.min(FIRST_LOCK_MINUTES * 2 ** (nth / until - 1), LONGEST_LOCK_MINUTES);
}

const buildSchedule = (until: number): readonly (number | null)[] =>
  Array.from({ length: TRIES_IN_A_ROW }, (_, index) => lockMinutes(index + 1, until));

/** A SQL array for `reserveAttempt`. */
export const LOCK_SCHEDULES = {
  own: buildSchedule(OWN_TRIES_UNTIL_LOCK),
  pin: buildSchedule(PIN_TRIES_UNTIL_LOCK),
};

const triesLeft = (nth: number, until: number): number => (TRIES_IN_A_ROW - nth) % until;

/** 0 after a try that locked. */
export const remainingAfter = ({ own, pin }: { own: number; pin: number }): number =>
  Math.min(triesLeft(own, OWN_TRIES_UNTIL_LOCK), triesLeft(pin, PIN_TRIES_UNTIL_LOCK));

/** An inactive PIN stays inactive until it is set again. */
export const isActive = ({ attempts }: Pick<AttemptState, 'attempts'>): boolean => attempts < TRIES_IN_A_ROW;

export const isLocked = ({ locked_until }: Pick<AttemptState, 'locked_until'>, now: Date): boolean =>
  locked_until !== null && locked_until > now;

export const mayGuess = ({ pin, own }: LockState, now: Date): boolean =>
  [pin, own].every((tries) => isActive(tries) && !isLocked(tries, now));
