/** Days and times of a zone that is not the reader's: staff's days are their customer's. */

type Moment = string | number;

/** "2026-11-27", by the zone's calendar. */
export const dayIn = (zone: string, moment: Moment): string => wallIn(zone, moment).slice(0, 10);

/** "2026-11-27T09:30": the zone's clock, as an input of type `datetime-local` has it. */
export function wallIn(zone: string, moment: Moment): string {
  const at = new Date(moment).getTime();
  return new Date(at + offsetAt(zone, at)).toISOString().slice(0, 16);
}

/** The moment, in UTC, at which the zone's clocks show this. */
export function momentOf(zone: string, wall: string): string {
  const shown = Date.parse(`${wall}Z`);
  const near = shown - offsetAt(zone, shown);
  return new Date(shown - offsetAt(zone, near)).toISOString();
}

/** Milliseconds that the zone's clocks are before UTC. */
function offsetAt(zone: string, at: number): number {
  const parts = new Map(
    format(zone, WALL)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
  const wall = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'));
  return wall - Math.floor(at / 60_000) * 60_000;
}

const WALL: Intl.DateTimeFormatOptions = {
  calendar: 'gregory',
  numberingSystem: 'latn',
  hourCycle: 'h23',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
};
const CLOCK: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit' };

const formats = new Map<string, Intl.DateTimeFormat>();

/** To make one takes longer than to use it a hundred times. */
function format(zone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${zone} ${options === WALL}`;
  const made =
    formats.get(key) ??
    new Intl.DateTimeFormat(options === WALL ? 'en-US' : undefined, { ...options, timeZone: zone });
  formats.set(key, made);
  return made;
}

/** "09:30" by the zone's clocks. */
export const clockIn = (zone: string, moment: Moment): string => format(zone, CLOCK).format(new Date(moment));

const dayFormat = (parts: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(undefined, { day: 'numeric', timeZone: 'UTC', ...parts });

const LONG = { weekday: 'long', month: 'long' } as const;
const SHORT = { weekday: 'short', month: 'short' } as const;
const longFormats = [dayFormat(LONG), dayFormat({ ...LONG, year: 'numeric' })] as const;
const shortFormats = [dayFormat(SHORT), dayFormat({ ...SHORT, year: 'numeric' })] as const;

/** The year is said where it is another one. */
const inWords = ([near, far]: typeof longFormats, day: string) =>
  (day.startsWith(String(new Date().getFullYear())) ? near : far).format(new Date(day));

/** A calendar day in words: "Friday 27 November". */
export const dayWords = (day: string): string => inWords(longFormats, day);

/** "Fri 27 Nov". */
export const dayShort = (day: string): string => inWords(shortFormats, day);

/** Zones that browsers know, with UTC, which their list leaves out. */
export const zones = (): readonly string[] => ['UTC', ...Intl.supportedValuesOf('timeZone')];

/** "Sydney, 20:06 there". */
export const placeOf = (zone: string): string => zone.slice(zone.lastIndexOf('/') + 1).replaceAll('_', ' ');
