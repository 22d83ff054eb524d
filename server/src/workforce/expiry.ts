import { LRUCache } from 'lru-cache';
import type { CertificationStatus } from './workers.contract.ts';

/**
 * The end of certifications. A day lasts until it is over in the customer's time zone, a time without an offset belongs
 * to that zone, and days are counted there (contract, section 10). search_staff (staff-search.sql) follows the same rules.
 */

/** `expiring` means within this many days (contract, section 10). */
const EXPIRING_DAYS = 42;

const DAY_MS = 86_400_000;
const HAS_OFFSET = /(Z|[+-]\d\d:\d\d)$/;

const clocks = new LRUCache<string, Intl.DateTimeFormat>({ max: 1000 });

function clockOf(timeZone: string): Intl.DateTimeFormat {
  let clock = clocks.get(timeZone);
  if (!clock) {
    const digits = { month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const;
    const options = { ...digits, year: 'numeric', second: 'numeric', hourCycle: 'h23', timeZone } as const;
    clock = new Intl.DateTimeFormat('en-u-ca-iso8601-nu-latn', options);
    clocks.set(timeZone, clock);
  }
  return clock;
}

/** The wall clock of a time zone at an instant, in milliseconds as if it were UTC. */
export function wallClockMs(instant: Date, timeZone: string): number {
  const parts = new Map(
    clockOf(timeZone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
  const seconds = Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
  );
  return seconds + (((instant.getTime() % 1000) + 1000) % 1000);
}

/**
 * Days from today to the day of the end: 0 is today, negative is past. An end earlier today is -1. Null without an end.
 * @param expires_at in the format "expiry"
 */
export function daysLeft(expires_at: string, timeZone: string, now: Date): number;
export function daysLeft(expires_at: string | null, timeZone: string, now: Date): number | null;
export function daysLeft(expires_at: string | null, timeZone: string, now: Date): number | null {
  if (expires_at === null) return null;
  const text = expires_at.toUpperCase().replace(' ', 'T');
  const isDay = text.length === 10;
  const instant = HAS_OFFSET.test(text) ? new Date(text) : undefined;
  const end = instant ? wallClockMs(instant, timeZone) : Date.parse(isDay ? text : `${text}Z`);
  const here = wallClockMs(now, timeZone);
  const days = Math.floor(end / DAY_MS) - Math.floor(here / DAY_MS);
  if (days !== 0 || isDay) return days;
  // Instants are compared as instants: when clocks go back, the wall clock shows the same hour twice.
  return (instant ? instant <= now : end <= here) ? -1 : 0;
}

/** @param days the result of daysLeft() */
export function certificationStatus(days: number | null): CertificationStatus {
  if (days === null || days > EXPIRING_DAYS) return 'valid';
  return days < 0 ? 'expired' : 'expiring';
}

/** A stored certification as an object: a bare string is its type. */
export const certificationOf = (element: unknown): Record<string, unknown> =>
  typeof element === 'string' ? { type: element } : (element as Record<string, unknown>);

/** The end of a certification; null without one. */
export const expiryOf = ({ expires_at }: Record<string, unknown>): string | null =>
  typeof expires_at === 'string' ? expires_at : null;
