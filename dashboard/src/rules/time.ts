const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

type Moment = string | number | Date;

const at = (moment: Moment) => new Date(moment);

const clockFormat = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const secondsFormat = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});
const weekdayFormat = new Intl.DateTimeFormat(undefined, { weekday: 'short' });
const dayFormat = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const yearFormat = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' });
const fullFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' });
const longDayFormat = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long' });

export const clock = (moment: Moment): string => clockFormat.format(at(moment));

export const clockSeconds = (moment: Moment): string => secondsFormat.format(at(moment));

/** With thousandths, for logs. */
export const clockMillis = (moment: Moment): string =>
  `${clockSeconds(moment)}.${String(at(moment).getMilliseconds()).padStart(3, '0')}`;

/** All of it, for a tooltip. */
export const full = (moment: Moment): string => fullFormat.format(at(moment));

export const longDay = (moment: Moment): string => longDayFormat.format(at(moment));

const midnight = (date: Date) => new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();

/** Days between the reader's midnights; yesterday is 1, tomorrow -1. */
function daysAgo(moment: Moment, now: Moment): number {
  return Math.round((midnight(at(now)) - midnight(at(moment))) / DAY);
}

/** "12 Nov", with the year where it is another one. */
export function day(moment: Moment, now: Moment = Date.now()): string {
  const isThisYear = at(moment).getFullYear() === at(now).getFullYear();
  return (isThisYear ? dayFormat : yearFormat).format(at(moment));
}

/** How long ago, as short as it can be: "14 min", "3 h", "yesterday", "Tue", "12 Nov". */
export function ago(moment: Moment, now: Moment = Date.now()): string {
  const past = at(now).getTime() - at(moment).getTime();
  if (past < MINUTE) return 'now';
  if (past < HOUR) return `${Math.floor(past / MINUTE)} min`;
  const days = daysAgo(moment, now);
  if (days === 0) return `${Math.floor(past / HOUR)} h`;
  if (days === 1) return 'yesterday';
  return days < 7 ? weekdayFormat.format(at(moment)) : day(moment, now);
}

/** How much is left: "46 min left", "7 days left", "over". */
export function left(moment: Moment, now: Moment = Date.now()): string {
  const rest = at(moment).getTime() - at(now).getTime();
  return rest <= 0 ? 'over' : `${span(rest)} left`;
}

/** "46 min", "1 h 39 min", "7 days". */
export function span(ms: number): string {
  if (ms < MINUTE) return '1 min';
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min`;
  if (ms < DAY) {
    const minutes = Math.floor((ms % HOUR) / MINUTE);
    return `${Math.floor(ms / HOUR)} h${minutes > 0 ? ` ${minutes} min` : ''}`;
  }
  const days = Math.floor(ms / DAY);
  return days === 1 ? '1 day' : `${days} days`;
}

/** The time that something took: "34 ms", "1.2 s", "6 min". */
export function took(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < MINUTE) return `${(ms / 1000).toFixed(1)} s`;
  return span(ms);
}

/** "today 09:27", "tomorrow 09:27", "Tue 09:27", "12 Nov, 09:27". */
export function dayAndClock(moment: Moment, now: Moment = Date.now()): string {
  const days = daysAgo(moment, now);
  if (days === 0) return clock(moment);
  if (days === -1) return `tomorrow ${clock(moment)}`;
  if (days === 1) return `yesterday ${clock(moment)}`;
  return Math.abs(days) < 7
    ? `${weekdayFormat.format(at(moment))} ${clock(moment)}`
    : `${day(moment, now)}, ${clock(moment)}`;
}

/** A line between messages: "Today", "Yesterday", "Thursday 26 November". */
export function dayName(moment: Moment, now: Moment = Date.now()): string {
  const days = daysAgo(moment, now);
  if (days === 0) return 'Today';
  return days === 1 ? 'Yesterday' : longDay(moment);
}

export const isSameDay = (a: Moment, b: Moment): boolean => daysAgo(a, b) === 0;
