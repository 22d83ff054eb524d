import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AttemptState,
  isActive,
  isLocked,
  LOCK_SCHEDULES,
  lockMinutes,
  mayGuess,
  OWN_TRIES_UNTIL_LOCK,
  PIN_TRIES_UNTIL_LOCK,
  remainingAfter,
  TRIES_IN_A_ROW,
} from './lockout.ts';

const HOUR = 60;
const UNTIL = { own: OWN_TRIES_UNTIL_LOCK, pin: PIN_TRIES_UNTIL_LOCK };
const nth = fc.integer({ min: 1, max: TRIES_IN_A_ROW });
const listLocks = (schedule: readonly (number | null)[]) =>
  schedule.flatMap((minutes, index) => (minutes === null ? [] : [[index + 1, minutes]]));

describe('the locks', () => {
  it('come at every fifth own and twentieth common try, and double to 24 hours', () => {
    const own = listLocks(LOCK_SCHEDULES.own);
    expect(own.slice(0, 9)).toEqual([
      [5, 15],
      [10, 30],
      [15, 1 * HOUR],
      [20, 2 * HOUR],
      [25, 4 * HOUR],
      [30, 8 * HOUR],
      [35, 16 * HOUR],
      [40, 24 * HOUR],
      [45, 24 * HOUR],
    ]);
    expect(own).toHaveLength(20);
    expect(listLocks(LOCK_SCHEDULES.pin)).toEqual([
      [20, 15],
      [40, 30],
      [60, 1 * HOUR],
      [80, 2 * HOUR],
      [100, 4 * HOUR],
    ]);
    for (const schedule of Object.values(LOCK_SCHEDULES)) expect(schedule).toHaveLength(100);
  });

  it('never get shorter', () => {
    fc.assert(
      fc.property(nth, nth, (a, b) => {
        const [sooner, later] = [Math.min(a, b), Math.max(a, b)].map(
          (n) => lockMinutes(n - (n % 5) + 5, 5) ?? 0,
        );
        expect(sooner).toBeLessThanOrEqual(later ?? 0);
      }),
    );
  });

  it('come exactly when no attempts remain', () => {
    fc.assert(
      fc.property(nth, nth, (own, pin) => {
        const remaining = remainingAfter({ own, pin });
        expect(remaining).toBeGreaterThanOrEqual(0);
        expect(remaining).toBeLessThan(OWN_TRIES_UNTIL_LOCK);
        const isLock = lockMinutes(own, UNTIL.own) !== null || lockMinutes(pin, UNTIL.pin) !== null;
        expect(remaining === 0).toBe(isLock);
        if (remaining > 0) expect(remainingAfter({ own: own + 1, pin: pin + 1 })).toBe(remaining - 1);
      }),
    );
  });
});

const somebody = fc.integer({ min: 0, max: 29 });
const step = fc.oneof(
  { weight: 30, arbitrary: fc.record({ who: somebody, isRight: fc.constant(false) }) },
  { weight: 1, arbitrary: fc.record({ who: somebody, isRight: fc.constant(true) }) },
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 2 * 24 * HOUR }) },
);
const START = Date.UTC(2026, 0, 31);
const at = (minute: number) => new Date(START + minute * 60_000);

class Guessing {
  minute = 0;
  pin: AttemptState = { attempts: 0, locked_until: null };
  own = new Map<number, AttemptState>();

  attemptsOf = (who: number): AttemptState => this.own.get(who) ?? { attempts: 0, locked_until: null };

  /** @returns false when the guess is refused */
  guess(who: number, isRight: boolean): boolean {
    const own = this.attemptsOf(who);
    if (!mayGuess({ pin: this.pin, own }, at(this.minute))) return false;
    if (isRight) {
      this.pin = { attempts: 0, locked_until: null };
      this.own.delete(who);
    } else {
      this.pin = this.#after(this.pin, UNTIL.pin);
      this.own.set(who, this.#after(own, UNTIL.own));
    }
    return true;
  }

  #after({ attempts }: AttemptState, until: number): AttemptState {
    const minutes = lockMinutes(attempts + 1, until);
    return { attempts: attempts + 1, locked_until: minutes === null ? null : at(this.minute + minutes) };
  }
}

describe('guessers', () => {
  it('get five guesses each, twenty together and a hundred in a row', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 600, size: 'max' }), (steps) => {
        const guessing = new Guessing();
        /** Since the last right PIN. */
        let wrong: { who: number; minute: number }[] = [];
        for (const next of steps) {
          if (typeof next === 'number') guessing.minute += next;
          else if (guessing.guess(next.who, next.isRight)) {
            const { minute } = guessing;
            wrong = next.isRight ? [] : [...wrong, { who: next.who, minute }];
            if (wrong.length > PIN_TRIES_UNTIL_LOCK) {
              expect(minute - (wrong.at(-1 - PIN_TRIES_UNTIL_LOCK)?.minute ?? 0)).toBeGreaterThanOrEqual(15);
            }
            const same = wrong.filter(({ who }) => who === next.who);
            if (same.length > OWN_TRIES_UNTIL_LOCK) {
              expect(minute - (same.at(-1 - OWN_TRIES_UNTIL_LOCK)?.minute ?? 0)).toBeGreaterThanOrEqual(15);
            }
          }
          expect(wrong.length).toBeLessThanOrEqual(TRIES_IN_A_ROW);
          expect(isActive(guessing.pin)).toBe(wrong.length < TRIES_IN_A_ROW);
        }
      }),
    );
  });

  it('lock only themselves with fewer than twenty guesses', () => {
    fc.assert(
      fc.property(fc.array(somebody, { maxLength: PIN_TRIES_UNTIL_LOCK - 1 }), somebody, (guesses, other) => {
        const guessing = new Guessing();
        for (const who of guesses) guessing.guess(who, false);
        const own = guesses.filter((who) => who === other).length;
        expect(guessing.guess(other, true)).toBe(own < OWN_TRIES_UNTIL_LOCK);
        expect(isLocked(guessing.pin, at(0))).toBe(false);
      }),
    );
  });
});
