import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ATTEMPTS_IN_A_ROW,
  ATTEMPTS_UNTIL_LOCK,
  isActive,
  lockMinutesOf,
  lockSchedule,
  mayTry,
  remainingAfter,
} from './lockout.ts';

const HOUR = 60;
const nth = fc.integer({ min: 1, max: ATTEMPTS_IN_A_ROW });

describe('the lock', () => {
  it('comes with every fifth attempt, doubles from 15 minutes, and lasts at most 24 hours', () => {
    const locks = lockSchedule.flatMap((minutes, index) => (minutes === null ? [] : [[index + 1, minutes]]));
    expect(locks.slice(0, 9)).toEqual([
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
    expect(locks).toHaveLength(20);
    expect(lockSchedule).toHaveLength(100);
  });

  it('never gets shorter', () => {
    fc.assert(
      fc.property(nth, nth, (a, b) => {
        const [sooner, later] = [Math.min(a, b), Math.max(a, b)].map(
          (n) => lockMinutesOf(n - (n % 5) + 5) ?? 0,
        );
        expect(sooner).toBeLessThanOrEqual(later ?? 0);
      }),
    );
  });

  it('comes exactly when nothing remains', () => {
    fc.assert(
      fc.property(nth, (n) => {
        const remaining = remainingAfter(n);
        expect(remaining).toBeGreaterThanOrEqual(0);
        expect(remaining).toBeLessThan(ATTEMPTS_UNTIL_LOCK);
        expect(remaining === 0).toBe(lockMinutesOf(n) !== null);
        if (remaining > 0) expect(remainingAfter(n + 1)).toBe(remaining - 1);
      }),
    );
  });
});

describe('a guesser', () => {
  /** A guess, or minutes that pass. */
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.constant('guess' as const) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 2 * 24 * HOUR }) },
  );

  it('gets at most five guesses between two locks and a hundred in total, however long it waits', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 600, size: 'max' }), (steps) => {
        const start = Date.UTC(2026, 0, 31);
        let minute = 0;
        let pin = { attempts: 0, locked_until: null as Date | null };
        const guessedAt: number[] = [];
        for (const next of steps) {
          if (next !== 'guess') minute += next;
          else if (mayTry(pin, new Date(start + minute * 60_000))) {
            guessedAt.push(minute);
            const attempts = pin.attempts + 1;
            const lock = lockMinutesOf(attempts);
            pin = {
              attempts,
              locked_until: lock === null ? null : new Date(start + (minute + lock) * 60_000),
            };
          }
        }
        expect(guessedAt.length).toBeLessThanOrEqual(ATTEMPTS_IN_A_ROW);
        expect(isActive(pin)).toBe(guessedAt.length < ATTEMPTS_IN_A_ROW);
        for (let index = ATTEMPTS_UNTIL_LOCK; index < guessedAt.length; index += ATTEMPTS_UNTIL_LOCK) {
          const pause = (guessedAt[index] ?? 0) - (guessedAt[index - 1] ?? 0);
          expect(pause).toBeGreaterThanOrEqual(Math.min(15 * 2 ** (index / 5 - 1), 24 * HOUR));
        }
      }),
    );
  });
});
