/** Days count in the customer's time zone (contract, section 10). */
export interface TimeZone {
  /** An IANA name or UTC. */
  name: string;
  format: Intl.DateTimeFormat;
}

const timeZoneOf = (name: string): TimeZone => ({
  name,
  format: new Intl.DateTimeFormat('en', {
    timeZone: name,
    calendar: 'iso8601',
    hourCycle: 'h23',
    weekday: 'long',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  }),
});

export const utc = timeZoneOf('UTC');

/** UTC for a missing or unknown name: the control plane may know newer zones. */
export function parseTimeZone(name: string | undefined): TimeZone {
  try {
    return name === undefined ? utc : timeZoneOf(name);
  } catch {
    return utc;
  }
}

const partsIn = ({ format }: TimeZone, instant: number) =>
  Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, value]));

/** `2026-11-20 09:00`, or as the locale has it */
export function minuteIn(zone: TimeZone, instant: number, locale?: string): string {
  if (locale !== undefined)
    return inWords(zone, instant, locale, { dateStyle: 'medium', timeStyle: 'short' });
  const { year, month, day, hour, minute } = partsIn(zone, instant);
  return `${year}-${month}-${day} ${hour}:${minute}`;
}

/** `09:00`, or as the locale has it */
export const timeIn = (zone: TimeZone, instant: number, locale?: string): string =>
  locale === undefined
    ? minuteIn(zone, instant).slice(11)
    : inWords(zone, instant, locale, { timeStyle: 'short' });

const inWords = (
  { name: timeZone }: TimeZone,
  instant: number,
  locale: string,
  style: Pick<Intl.DateTimeFormatOptions, 'dateStyle' | 'timeStyle'>,
) => new Intl.DateTimeFormat(locale, { timeZone, ...style }).format(instant);

/** `Friday` */
export const weekdayIn = (zone: TimeZone, instant: number): string => partsIn(zone, instant)['weekday'] ?? '';

const dayMs = 86_400_000;

/** `2026-11-20` */
export function dayIn(zone: TimeZone, instant: number, daysBack = 0): string {
  const today = minuteIn(zone, instant).slice(0, 10);
  return new Date(Date.parse(today) - daysBack * dayMs).toISOString().slice(0, 10);
}

/** An existing date `YYYY-MM-DD`. Date.parse alone reads 30 February as a day in March. */
export function isDay(date: string): boolean {
  const at = Date.parse(`${date}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(date);
}

const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const daysBackOf = new Map([
  ['today', 0],
  ['yesterday', 1],
  ['tomorrow', -1],
]);

/** For `today`, `yesterday`, `tomorrow`, a weekday (the next one, or today) or `YYYY-MM-DD`; else undefined. */
export function dateOf(words: string, zone: TimeZone, instant: number): string | undefined {
  const plain = words.trim().toLowerCase();
  const daysBack = daysBackOf.get(plain);
  if (daysBack !== undefined) return dayIn(zone, instant, daysBack);
  const weekday = weekdays.indexOf(plain);
  if (weekday === -1) return isDay(plain) ? plain : undefined;
  const today = weekdays.indexOf(weekdayIn(zone, instant).toLowerCase());
  return dayIn(zone, instant, -((weekday - today + 7) % 7));
}

/** Negative if `to` is earlier. */
export const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / dayMs;
