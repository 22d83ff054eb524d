import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { certificationStatus, daysLeft, wallClockMs } from './expiry.ts';

const HOUR_MS = 3_600_000;
const zones = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kathmandu',
  'Pacific/Apia',
  'Australia/Lord_Howe',
];
const zone = fc.constantFrom(...zones, 'America/Santiago', 'Africa/Casablanca', 'Pacific/Kiritimati');
const instant = fc.date({
  min: new Date('2000-01-01T00:00:00Z'),
  max: new Date('2060-01-01T00:00:00Z'),
  noInvalidDate: true,
});
const dayIn = (at: Date, timeZone: string) => new Date(wallClockMs(at, timeZone)).toISOString().slice(0, 10);

it.each([
  ['2026-03-29', 'Europe/Berlin', '2026-03-28T22:59:59.999Z', 1],
  ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00.000Z', 0],
  ['2026-03-29', 'Europe/Berlin', '2026-03-29T21:59:59.999Z', 0],
  ['2026-03-29', 'Europe/Berlin', '2026-03-29T22:00:00.000Z', -1],
  // Berlin has this hour twice: 02:30 with an offset is one of them.
  ['2026-10-25T02:30:00+02:00', 'Europe/Berlin', '2026-10-25T00:29:59.999Z', 0],
  ['2026-10-25T02:30:00+02:00', 'Europe/Berlin', '2026-10-25T00:30:00.000Z', -1],
  ['2026-10-25T02:30:00+01:00', 'Europe/Berlin', '2026-10-25T00:45:00.000Z', 0],
  ['2026-01-31 09:30:00.5', 'Asia/Kathmandu', '2026-01-31T03:45:00.499Z', 0],
  ['2026-01-31t09:30:00.5', 'Asia/Kathmandu', '2026-01-31T03:45:00.500Z', -1],
  ['9999-12-31T23:59:59-12:00', 'Pacific/Kiritimati', '2026-01-01T00:00:00Z', 2_912_444],
])('%s in %s at %s: %d', (expires_at, timeZone, now, days) => {
  expect(daysLeft(expires_at, timeZone, new Date(now))).toBe(days);
});

it('counts calendar days in every time zone', () => {
  fc.assert(
    fc.property(zone, instant, fc.integer({ min: -400, max: 400 }), (timeZone, now, days) => {
      const today = Date.parse(dayIn(now, timeZone));
      const day = new Date(today + days * 24 * HOUR_MS).toISOString().slice(0, 10);
      expect(daysLeft(day, timeZone, now)).toBe(days);
    }),
  );
});

it('never grows, and is negative exactly after the instant', () => {
  fc.assert(
    fc.property(
      zone,
      instant,
      instant,
      fc.integer({ min: 0, max: 72 * HOUR_MS }),
      (timeZone, end, now, ms) => {
        const expires_at = end.toISOString();
        const later = new Date(now.getTime() + ms);
        const days = daysLeft(expires_at, timeZone, now);
        expect(days < 0).toBe(end <= now);
        expect(daysLeft(expires_at, timeZone, later)).toBeLessThanOrEqual(days);
      },
    ),
  );
});

it('does not depend on the offset of an instant', () => {
  fc.assert(
    fc.property(zone, instant, instant, fc.integer({ min: -15, max: 15 }), (timeZone, end, now, offset) => {
      const shifted = new Date(end.getTime() + offset * HOUR_MS).toISOString().slice(0, -1);
      const suffix = `${offset < 0 ? '-' : '+'}${String(Math.abs(offset)).padStart(2, '0')}:00`;
      expect(daysLeft(shifted + suffix, timeZone, now)).toBe(daysLeft(end.toISOString(), timeZone, now));
    }),
  );
});

it.each([
  [null, 'valid'],
  [43, 'valid'],
  [42, 'expiring'],
  [0, 'expiring'],
  [-1, 'expired'],
])('%j days left is %s', (days, status) => {
  expect(certificationStatus(days)).toBe(status);
});
