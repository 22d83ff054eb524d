/**
 * The limit on guessing a PIN (contract, sections 5 and 17). A pure decision from two counts of wrong tries in a row: those
 * of the one who tries, of which every fifth locks, and those of everybody at the PIN, of which every twentieth locks. Each
 * further lock lasts twice as long; the hundredth try is the last (NIST SP 800-63B-4, section 3.2.2). `reserveAttempt` in
 * pin-attempts.db.ts applies it under the PIN's row lock.
 */
export interface Tries {
  /** Since the last right PIN or reset. */
  attempts: number;
  locked_until: Date | null;
}

/** A PIN, and one who tries it. */
export interface Pair {
  /** Everybody's tries of the PIN. */
  pin: Tries;
  /** This one's tries. */
  own: Tries;
}

export const OWN_TRIES_UNTIL_LOCK = 5;
export const PIN_TRIES_UNTIL_LOCK = 20;
export const TRIES_IN_A_ROW = 100;
const FIRST_LOCK_MINUTES = 15;
const LONGEST_LOCK_MINUTES = 24 * 60;

/** The minutes for which the `nth` try in a row (from 1) locks, where every `until`-th does; null where it does not. */
export function lockMinutesOf(nth: number, until: number): number | null {
  if (nth % until !== 0) return null;
  return Math.min(FIRST_LOCK_MINUTES * 2 ** (nth / until - 1), LONGEST_LOCK_MINUTES);
}

const scheduleOf = (until: number): readonly (number | null)[] =>
  Array.from({ length: TRIES_IN_A_ROW }, (_, index) => lockMinutesOf(index + 1, until));

/** `lockMinutesOf` each possible try, for the statement that reserves one. */
export const LOCK_SCHEDULES = {
  own: scheduleOf(OWN_TRIES_UNTIL_LOCK),
  pin: scheduleOf(PIN_TRIES_UNTIL_LOCK),
};

const leftAfter = (nth: number, until: number): number => (TRIES_IN_A_ROW - nth) % until;

/** Tries before the next lock, when the try with these numbers was wrong; 0 when it locked. */
export const remainingAfter = ({ own, pin }: { own: number; pin: number }): number =>
  Math.min(leftAfter(own, OWN_TRIES_UNTIL_LOCK), leftAfter(pin, PIN_TRIES_UNTIL_LOCK));

/** An inactive PIN stays inactive until it is set again. */
export const isActive = ({ attempts }: Pick<Tries, 'attempts'>): boolean => attempts < TRIES_IN_A_ROW;

export const isLocked = ({ locked_until }: Pick<Tries, 'locked_until'>, now: Date): boolean =>
  locked_until !== null && locked_until > now;

/** True when this one may try the PIN now. */
export const mayTry = ({ pin, own }: Pair, now: Date): boolean =>
  [pin, own].every((tries) => isActive(tries) && !isLocked(tries, now));
