/**
 * The limit on guessing a PIN (contract, section 5). A pure decision from one number, the attempts since the last right
 * PIN: every fifth attempt locks, each time for twice as long, and the hundredth is the last (NIST SP 800-63B-4, section
 * 3.2.2). `reserveAttempt` in pin-attempts.db.ts applies it under the row's lock.
 */
export interface Attempts {
  /** Since the last right PIN, or since it was set. */
  attempts: number;
  locked_until: Date | null;
}

export const ATTEMPTS_UNTIL_LOCK = 5;
export const ATTEMPTS_IN_A_ROW = 100;
const FIRST_LOCK_MINUTES = 15;
const LONGEST_LOCK_MINUTES = 24 * 60;

/** The minutes for which the `nth` attempt in a row (from 1) locks the PIN; null where it does not lock. */
export function lockMinutesOf(nth: number): number | null {
  if (nth % ATTEMPTS_UNTIL_LOCK !== 0) return null;
  return Math.min(FIRST_LOCK_MINUTES * 2 ** (nth / ATTEMPTS_UNTIL_LOCK - 1), LONGEST_LOCK_MINUTES);
}

/** `lockMinutesOf` each possible attempt, for the statement that reserves one. */
export const lockSchedule: readonly (number | null)[] = Array.from(
  { length: ATTEMPTS_IN_A_ROW },
  (_, index) => lockMinutesOf(index + 1),
);

/** Attempts before the next lock when the `nth` attempt in a row was wrong; 0 when it locked. */
export const remainingAfter = (nth: number): number => (ATTEMPTS_IN_A_ROW - nth) % ATTEMPTS_UNTIL_LOCK;

/** An inactive PIN stays inactive until it is set again. */
export const isActive = ({ attempts }: Attempts): boolean => attempts < ATTEMPTS_IN_A_ROW;

export const isLocked = ({ locked_until }: Attempts, now: Date): boolean =>
  locked_until !== null && locked_until > now;

/** True when the PIN may be tried now. */
export const mayTry = (pin: Attempts, now: Date): boolean => isActive(pin) && !isLocked(pin, now);
