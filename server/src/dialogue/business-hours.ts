import { Cron } from 'croner';
import type { Interval, OpeningTimes } from '../recipes/fields/channel-config.ts';

/** Days as `Date.getDay` and cron count them. */
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;

/** Opening times in a time zone. A day without an entry is closed. */
export interface BusinessHours {
  days: ReadonlyMap<number, readonly Interval[]>;
  timezone: string;
}

/** Opening times of a configuration in the customer's time zone. */
export function businessHoursOf(times: OpeningTimes, timezone: string): BusinessHours {
  const days = DAYS.flatMap((name, day) => {
    const intervals = times[name];
    return intervals ? [[day, intervals] as const] : [];
  });
  return { days: new Map(days), timezone };
}

/** @returns the next opening; 'open' while it is open, 'never' where no day has opening times */
export function nextOpening({ days, timezone }: BusinessHours, now: Date): Date | 'open' | 'never' {
  const { day, time } = localTime(now, timezone);
  if (days.get(day)?.some(([from, to]) => from <= time && time < to)) return 'open';
  const openings = [...days].flatMap(([weekday, intervals]) =>
    intervals.map(([from]) => nextLocalTime(weekday, from, timezone, now)),
  );
  const next = openings.flatMap((at) => (at ? [at.getTime()] : [])).toSorted((a, b) => a - b)[0];
  return next === undefined ? 'never' : new Date(next);
}

/** The library knows the shifts of daylight saving time. */
function nextLocalTime(day: number, time: string, timezone: string, now: Date): Date | null {
  const [hours, minutes] = time.split(':').map(Number);
  return new Cron(`${minutes} ${hours} * * ${day}`, { timezone, paused: true }).nextRun(now);
}

function localTime(now: Date, timeZone: string): { day: number; time: string } {
  const format = new Intl.DateTimeFormat('en', {
    timeZone,
    hourCycle: 'h23',
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
  });
  const parts = new Map(format.formatToParts(now).map(({ type, value }) => [type, value]));
  return {
    day: DAYS.findIndex((name) => name === parts.get('weekday')?.toLowerCase()),
    time: `${parts.get('hour')}:${parts.get('minute')}`,
  };
}
