import { expect, it } from 'vitest';
import { lastTime } from './triggers.ts';

const LONG_AGO = '2000-01-01T00:00:00Z';
const last = (schedule: string, now: string, since = LONG_AGO, timezone = 'Europe/Berlin') =>
  lastTime({ schedule }, { timezone, triggers_since: new Date(since) }, new Date(now))?.toISOString();

it.each([
  ['0 9 * * *', '2026-11-24T08:00:00.000Z', '2026-11-24T08:00:00.000Z'],
  ['0 9 * * *', '2026-11-24T08:00:00.400Z', '2026-11-24T08:00:00.000Z'],
  ['0 9 * * *', '2026-11-24T07:59:59.999Z', '2026-11-23T08:00:00.000Z'],
  ['0 9 * * *', '2026-11-24T08:59:59.000Z', '2026-11-24T08:00:00.000Z'],
  ['0 9 * * *', '2026-11-24T09:00:01.000Z', '2026-11-24T08:00:00.000Z'],
  ['* * * * *', '2026-11-24T08:59:59.500Z', '2026-11-24T08:59:00.000Z'],
])('%s at %s was due at %s', (schedule, now, expected) => {
  expect(last(schedule, now)).toBe(expected);
});

it('a time before the last look is not due', () => {
  expect(last('0 9 * * *', '2026-11-24T08:00:01Z', '2026-11-24T08:00:00Z')).toBeUndefined();
  expect(last('0 9 * * *', '2026-11-24T08:00:01Z', '2026-11-24T07:59:59Z')).toBe('2026-11-24T08:00:00.000Z');
});

/** The due times of a day, with a look every 10 minutes. */
function timesOf(schedule: string, from: string): (string | undefined)[] {
  const start = Date.parse(from);
  const looks = Array.from({ length: 24 * 6 }, (_, index) => new Date(start + index * 600_000).toISOString());
  return looks.slice(1).flatMap((now, index) => last(schedule, now, looks[index]) ?? []);
}

it('a time that daylight saving time skips is due right after, one that it repeats is due once', () => {
  expect(timesOf('30 2 * * *', '2026-03-28T20:05:00Z')).toEqual(['2026-03-29T01:00:00.000Z']);
  expect(timesOf('30 2 * * *', '2026-10-24T20:05:00Z')).toEqual(['2026-10-25T00:30:00.000Z']);
  expect(timesOf('0 9 * * *', '2026-10-24T20:05:00Z')).toEqual(['2026-10-25T08:00:00.000Z']);
});
