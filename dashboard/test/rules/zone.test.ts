import { expect, it } from 'vitest';
import { clockIn, dayIn, momentOf, placeOf, wallIn } from '../../src/rules/zone.ts';

it('tells the day and the clock of a zone', () => {
  expect(dayIn('Australia/Sydney', '2026-11-26T13:30:00.000Z')).toBe('2026-11-27');
  expect(wallIn('Asia/Kathmandu', '2026-11-26T13:30:00.000Z')).toBe('2026-11-26T19:15');
  expect(clockIn('America/New_York', '2026-01-31T12:05:00.000Z')).toMatch(/^0?7:05/);
  expect(placeOf('America/New_York')).toBe('New York');
});

it.each([
  ['Australia/Sydney', '2026-11-27T00:30', '2026-11-26T13:30:00.000Z'],
  ['UTC', '2026-02-28T23:59', '2026-02-28T23:59:00.000Z'],
  // The hour before and behind a change of the clocks.
  ['Europe/Berlin', '2026-03-29T01:59', '2026-03-29T00:59:00.000Z'],
  ['Europe/Berlin', '2026-03-29T03:00', '2026-03-29T01:00:00.000Z'],
  ['America/New_York', '2026-11-01T03:00', '2026-11-01T08:00:00.000Z'],
])('reads a clock of %s', (zone, wall, moment) => {
  expect(momentOf(zone, wall)).toBe(moment);
  expect(wallIn(zone, moment)).toBe(wall);
});
