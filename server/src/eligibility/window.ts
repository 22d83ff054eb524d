import { invalid } from '../platform/errors.ts';
import type { Window } from './people-judge.port.ts';
import { DAY_MS, type ZoneClock } from './zone-clock.ts';

const MOST_DAYS = 31;

/**
 * Days are whole. Today without `from`; without `to`, the rest of the day of `from`. 422 where it runs backwards or is
 * longer than 31 days of the wall clock.
 * @param place of the fields, body or query
 */
export function windowOf(
  clock: ZoneClock,
  { from, to }: { from?: string | null | undefined; to?: string | null | undefined },
  now: Date,
  place: 'body' | 'query',
): Window {
  const starts = from
    ? readable(clock.startOf(from), place, 'from')
    : clock.startOfDay(clock.dayOf(now.getTime()));
  const ends = to ? readable(clock.endOf(to), place, 'to') : clock.endOfDay(clock.dayOf(starts));
  if (ends <= starts) throw invalid([place, 'to'], 'to has to be later than from');
  if (clock.wall(ends) - clock.wall(starts) > MOST_DAYS * DAY_MS)
    throw invalid([place, 'to'], `from and to are at most ${MOST_DAYS} days apart`);
  return { from: starts, to: ends };
}

/** The time of a shift or an assignment, which may be longer; without an end it is judged for the day that it starts on. */
export function windowOfWork(
  clock: ZoneClock,
  { starts_at, ends_at }: { starts_at: Date | null; ends_at: Date | null },
  now: Date,
): Window {
  const from = starts_at?.getTime() ?? Math.min(now.getTime(), (ends_at?.getTime() ?? Infinity) - 1);
  return { from, to: ends_at?.getTime() ?? clock.endOfDay(clock.dayOf(from)) };
}

/** The format has been checked, but a time's offset may lead out of the calendar. */
function readable(moment: number | undefined, place: string, field: string): number {
  if (moment === undefined || Number.isNaN(moment)) throw invalid([place, field], 'value is no day or time');
  return moment;
}
