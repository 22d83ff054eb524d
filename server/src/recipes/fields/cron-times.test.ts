import { Cron } from 'croner';
import { describe, expect, it } from 'vitest';
import { isCronTime, mayComeBetween } from './cron-times.ts';

/** As the library finds it, by its search. */
const comes = (text: string): boolean => new Cron(text, { paused: true, mode: '5-part' }).nextRun() !== null;

const DAYS = ['*', '30', '8-14', 'L', 'LW', '31W', '28,31'];
const MONTHS = ['2', '4'];
const WEEKDAYS = ['*', '0', '1#5', '+1#1', '+5#5', '+6L'];

const may = (text: string, from: string, to: string): boolean =>
  mayComeBetween(text, new Date(from), new Date(to));

describe('a time as cron writes it', () => {
  it.each(['0 0 31 4 +1', '0 0 30 2 *', '0 0 31W 4 *', '0 0 8 2 +1#1', '0 0 LW * +6'])(
    'can never come: %s',
    (text) => {
      expect([isCronTime(text), comes(text)]).toEqual([false, false]);
    },
  );

  it.each(['0 8 * * 1', '0 0 29 2 +1#5', '0 0 31 4 1', '@yearly', '0 0 L 2 +6L', '0 0 1W * +3'])(
    'comes: %s',
    (text) => {
      expect([isCronTime(text), comes(text)]).toEqual([true, true]);
    },
  );

  it.each(['', 'noon', '0 0 8 * * 1', '61 * * * *', '2030-01-01T00:00:00', '0 0 32 * *'])(
    'is not one: %j',
    (text) => {
      expect(isCronTime(text)).toBe(false);
    },
  );

  it('is judged like by the search of the library', () => {
    const all = DAYS.flatMap((day) =>
      MONTHS.flatMap((month) => WEEKDAYS.map((weekday) => `0 0 ${day} ${month} ${weekday}`)),
    );
    expect(all.filter((text) => isCronTime(text) !== comes(text))).toEqual([]);
  });
});

it('is looked for only near a day that it names', () => {
  expect(may('0 8 1 * *', '2026-11-30T20:00:00Z', '2026-12-01T08:00:00Z')).toBe(true);
  expect(may('0 8 1 * *', '2026-12-10T20:00:00Z', '2026-12-11T08:00:00Z')).toBe(false);
  // The 1st begins in Auckland while it is still the 30th in UTC.
  expect(may('0 8 1 * *', '2026-11-30T11:00:00Z', '2026-11-30T12:00:00Z')).toBe(true);
  expect(may('* 2 L 3 +0L', '2026-06-01T00:00:00Z', '2026-06-02T00:00:00Z')).toBe(false);
});
