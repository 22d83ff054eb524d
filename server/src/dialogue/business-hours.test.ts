import { expect, it } from 'vitest';
import { readChannelConfig } from '../recipes/fields/channel-config.ts';
import { businessHoursOf, nextOpening } from './business-hours.ts';

const weekdays = {
  mon: [
    ['09:00', '12:00'],
    ['13:00', '17:00'],
  ],
  sun: [['22:00', '24:00']],
};
const at = (text: string) => new Date(text);
const hoursOf = (business_hours: unknown) =>
  readChannelConfig({ channel_config: { business_hours } }).business_hours;
const opening = (value: unknown, zone: string, now: string) => {
  const hours = hoursOf(value);
  return hours && nextOpening(businessHoursOf(hours, zone), at(now));
};

it.each([
  ['2026-11-23T09:00:00+01:00', 'open'],
  ['2026-11-23T11:59:59+01:00', 'open'],
  ['2026-11-23T12:00:00+01:00', at('2026-11-23T13:00:00+01:00')],
  ['2026-11-23T17:00:00+01:00', at('2026-11-29T22:00:00+01:00')],
  ['2026-11-29T23:59:59+01:00', 'open'],
  ['2026-11-30T00:00:00+01:00', at('2026-11-30T09:00:00+01:00')],
])('at %s the next opening is %s', (now, expected) => {
  expect(opening(weekdays, 'Europe/Berlin', now)).toEqual(expected);
});

it('an opening in the hour that daylight saving time skips is right after that hour', () => {
  expect(opening({ sun: [['02:30', '05:00']] }, 'Europe/Berlin', '2026-03-28T12:00:00Z')).toEqual(
    at('2026-03-29T01:00:00Z'),
  );
});

it('a day with null is closed', () => {
  const hours = { mon: [['09:00', '17:00']], tue: null };
  expect(opening(hours, 'UTC', '2026-11-24T10:00:00Z')).toEqual(at('2026-11-30T09:00:00Z'));
});

it('hours without any opening never open', () => {
  expect(opening({ mon: [] }, 'UTC', '2026-11-23T09:00:00Z')).toBe('never');
});

it.each([
  [{ mon: [['25:00', '26:00']] }],
  [{ mon: [['10:00', '09:00']] }],
  [{ monday: [] }],
  [{ mon: '09:00-17:00' }],
  [['mon']],
])('%j is refused as business hours', (value) => {
  expect(hoursOf(value)).toBeUndefined();
});
