import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { DAY_MS, ZoneClock } from './zone-clock.ts';

const HOUR_MS = 3_600_000;

it.each([
  ['Europe/Berlin', '2026-03-29', 23],
  ['Europe/Berlin', '2026-10-25', 25],
  // Clocks skip midnight.
  ['Africa/Cairo', '2026-04-24', 23],
  // Midnight is shown twice.
  ['America/Havana', '2026-11-01', 25],
  // From midnight back to eleven.
  ['Asia/Beirut', '2026-10-24', 25],
  ['Australia/Lord_Howe', '2026-04-05', 24.5],
  ['Pacific/Kiritimati', '2026-01-01', 24],
  ['Pacific/Niue', '2026-01-01', 24],
])('in %s, %s has %d hours', (zone, day, hours) => {
  const clock = new ZoneClock(zone);
  expect((clock.endOfDay(day) - clock.startOfDay(day)) / HOUR_MS).toBe(hours);
});

const zones = fc.constantFrom(
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/Havana',
  'Africa/Cairo',
  'Asia/Beirut',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Kiritimati',
  'Pacific/Niue',
);
const moments = fc.integer({ min: Date.parse('2020-01-01'), max: Date.parse('2035-01-01') });

it('puts each moment into one day, from its start to before its end', () => {
  fc.assert(
    fc.property(zones, moments, (zone, moment) => {
      const clock = new ZoneClock(zone);
      const day = clock.dayOf(moment);
      expect(clock.startOfDay(day)).toBeLessThanOrEqual(moment);
      expect(clock.endOfDay(day)).toBeGreaterThan(moment);
      expect(clock.dayOf(clock.startOfDay(day))).toBe(day);
      expect(clock.dayOf(clock.endOfDay(day) - 1)).toBe(day);
    }),
  );
});

it('reads days, local times and times with an offset', () => {
  const clock = new ZoneClock('America/New_York');
  expect(clock.endOf('2026-01-30')).toBe(Date.parse('2026-01-31T05:00:00Z'));
  expect(clock.startOf('2026-01-30')).toBe(clock.startOfDay('2026-01-30'));
  expect(clock.endOf('2026-01-30T19:59:59')).toBe(Date.parse('2026-01-31T00:59:59Z'));
  expect(clock.endOf('2026-01-30 19:59:59Z')).toBe(Date.parse('2026-01-30T19:59:59Z'));
  // Shown twice: the end is not later than was meant.
  expect(clock.endOf('2026-11-01T01:30:00')).toBe(Date.parse('2026-11-01T05:30:00Z'));
});

it.each(['2026-02-30', '30/01/2026', 'soon', '', 20260130, {}])('reads no moment from %j', (text) => {
  expect(new ZoneClock('UTC').endOf(text)).toBeUndefined();
  expect(new ZoneClock('UTC').startOf(text)).toBeUndefined();
});

it('names the day whose end a moment is', () => {
  const clock = new ZoneClock('Europe/Berlin');
  const end = clock.endOfDay('2026-11-20');
  expect(clock.endInWords(end)).toBe('2026-11-20');
  expect(clock.startInWords(end)).toBe('2026-11-21');
  expect(clock.endInWords(end - DAY_MS / 2)).toBe('2026-11-20 12:00');
});
