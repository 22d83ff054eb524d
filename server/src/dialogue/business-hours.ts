import { Cron } from 'croner';
import type { Interval, OpeningTimes } from '../recipes/fields/channel-config.ts';

/** In the order of `Date.getDay` and cron. */
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;

/** `days` are those of `Date.getDay`. A day without an entry is closed. */
export interface BusinessHours {
  days: ReadonlyMap<number, readonly Interval[]>;
  timezone: string;
}

export function businessHoursOf(times: OpeningTimes, timezone: string): BusinessHours {
  const days = DAYS.flatMap((name, day) => {
    const intervals = times[name];
    return intervals ? [[day, intervals] as const] : [];
  });
  return { days: new Map(days), timezone };
}

/** @returns the next opening; 'open' while it is open, 'never' without any opening times */
export function nextOpening({ days, timezone }: BusinessHours, now: Date): Date | 'open' | 'never' {
  const { day, time } = localTime(now, timezone);
  if (days.get(day)?.some(([from, to]) => from <= time && time < to)) return 'open';
  const openings = [...days].flatMap(([weekday, intervals]) =>
    intervals.map(([from]) => nextLocalTime(weekday, from, timezone, now)),
  );
  const next = openings.flatMap((at) => (at ? [at.getTime()] : [])).toSorted((a, b) => a - b)[0];
  return next === undefined ? 'never' : new Date(next);
}

/** Cron handles daylight saving time. */
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
