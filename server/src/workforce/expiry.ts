import { LRUCache } from 'lru-cache';
import type { CertificationStatus } from './workers.contract.ts';

/**
 * A day ends in the customer's time zone, to which times without an offset belong (contract, section 10). search_staff
 * (staff-search.sql) has the same rules.
 */

/** Contract, section 10. */
const EXPIRING_DAYS = 42;

const DAY_MS = 86_400_000;
const HAS_OFFSET = /(Z|[+-]\d\d:\d\d)$/;

const formats = new LRUCache<string, Intl.DateTimeFormat>({ max: 1000 });

function getFormat(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone);
  if (!format) {
    const digits = { month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const;
    const options = { ...digits, year: 'numeric', second: 'numeric', hourCycle: 'h23', timeZone } as const;
    format = new Intl.DateTimeFormat('en-u-ca-iso8601-nu-latn', options);
    formats.set(timeZone, format);
  }
  return format;
}

/** In milliseconds, as if the wall clock were UTC. */
export function wallClockMs(instant: Date, timeZone: string): number {
  const parts = new Map(
    getFormat(timeZone)
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
 * 0 is today, negative is past. An end earlier today is -1.
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
  // When clocks go back, the wall clock shows an hour twice, so instants are compared as instants.
  return (instant ? instant <= now : end <= here) ? -1 : 0;
}

export function certificationStatus(days: number | null): CertificationStatus {
  if (days === null || days > EXPIRING_DAYS) return 'valid';
  return days < 0 ? 'expired' : 'expiring';
}

/** A bare string is the certification's type. */
export const toCertification = (element: unknown): Record<string, unknown> =>
  typeof element === 'string' ? { type: element } : (element as Record<string, unknown>);

export const expiryOf = ({ expires_at }: Record<string, unknown>): string | null =>
  typeof expires_at === 'string' ? expires_at : null;
