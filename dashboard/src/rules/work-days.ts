import { clockIn, dayIn, dayShort } from './zone.ts';

interface Timed {
  starts_at: string;
  ends_at: string;
}

export interface WorkDay<Row> {
  /** "2026-11-27", of the zone's calendar. */
  day: string;
  rows: readonly Row[];
}

/** By the day on which each begins: today and later in order, then what is over, newest first. */
export function workDays<Row extends Timed>(rows: readonly Row[], zone: string, now: number) {
  const days = new Map<string, Row[]>();
  for (const row of rows.toSorted((a, b) => a.starts_at.localeCompare(b.starts_at))) {
    const day = dayIn(zone, row.starts_at);
    days.set(day, [...(days.get(day) ?? []), row]);
  }
  const today = dayIn(zone, now);
  const all: WorkDay<Row>[] = [...days].map(([day, each]) => ({ day, rows: each }));
  return {
    coming: all.filter(({ day }) => day >= today),
    over: all.filter(({ day }) => day < today).toReversed(),
  };
}

const HALF_DAY_MS = 12 * 3_600_000;

/** "22:00–06:00". An end that is more than half a day later names its day, unless it is the same one. */
export function timesWords({ starts_at, ends_at }: Timed, zone: string): string {
  const isShort = Date.parse(ends_at) - Date.parse(starts_at) <= HALF_DAY_MS;
  const isSameDay = dayIn(zone, starts_at) === dayIn(zone, ends_at);
  const end = clockIn(zone, ends_at);
  return `${clockIn(zone, starts_at)}–${isSameDay || isShort ? end : `${dayShort(dayIn(zone, ends_at))}, ${end}`}`;
}
