import { isObject, type JsonObject } from './recipe-patch.ts';
import { listed } from './words.ts';

export const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Day = (typeof DAYS)[number];
export type Interval = readonly [from: string, to: string];

const DAY_NAMES: Record<Day, string> = {
  mon: 'Monday',
  tue: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
  sun: 'Sunday',
};

export const dayName = (day: Day): string => DAY_NAMES[day];
export const dayShort = (day: Day): string => DAY_NAMES[day].slice(0, 3);

const isInterval = (value: unknown): value is Interval =>
  Array.isArray(value) && value.length === 2 && value.every((each) => typeof each === 'string');

export const intervalsOf = (hours: unknown, day: Day): readonly Interval[] => {
  const intervals = isObject(hours) ? hours[day] : undefined;
  return Array.isArray(intervals) ? intervals.filter(isInterval) : [];
};

/** Fields of days show all of it. */
export const areHours = (hours: unknown): boolean =>
  isObject(hours) &&
  Object.entries(hours).every(([name, value]) => {
    const day = DAYS.find((each) => each === name);
    if (day === undefined) return false;
    return value === null || (Array.isArray(value) && value.length === intervalsOf(hours, day).length);
  });

/** "09:00–12:00, 13:00–17:30". */
export const intervalText = (intervals: readonly Interval[]): string =>
  intervals.map(([from, to]) => `${from}–${to}`).join(', ');

const TIMES = /^\s*(\d{1,2})(?::?(\d{2}))?\s*(?:-|–|to)\s*(\d{1,2})(?::?(\d{2}))?\s*$/;

const clock = (hours: string | undefined, minutes: string | undefined) => {
  const [h, m] = [Number(hours), Number(minutes ?? 0)];
  return h * 60 + m <= 1440 && m < 60
    ? `${String(h).padStart(2, '0')}:${String(m).padStart(2, '0')}`
    : undefined;
};

/** From what people write, as "9-12, 13 to 17:30"; empty is closed. Undefined where it says no times. */
export function readIntervals(text: string): readonly Interval[] | undefined {
  if (text.trim() === '') return [];
  const intervals: Interval[] = [];
  for (const part of text.split(',')) {
    const found = TIMES.exec(part);
    const [from, to] = [clock(found?.[1], found?.[2]), clock(found?.[3], found?.[4])];
    if (!found || from === undefined || to === undefined || from >= to) return undefined;
    intervals.push([from, to]);
  }
  return intervals;
}

const minutesOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

/** Parts of the day, from 0 to 1. */
export const partsOfDay = (intervals: readonly Interval[]): readonly { from: number; size: number }[] =>
  intervals.map(([from, to]) => ({
    from: minutesOf(from) / 1440,
    size: Math.max(0, minutesOf(to) - minutesOf(from)) / 1440,
  }));

/** "Monday to Friday 08:00–18:00, Saturday 09:00–12:00". */
export function hoursWords(hours: unknown): string {
  const groups: { from: Day; to: Day; text: string }[] = [];
  for (const [at, day] of DAYS.entries()) {
    const text = intervalText(intervalsOf(hours, day));
    const last = groups.at(-1);
    if (text === '') continue;
    if (last && last.text === text && last.to === DAYS[at - 1]) last.to = day;
    else groups.push({ from: day, to: day, text });
  }
  if (groups.length === 0) return 'never';
  return listed(
    groups.map(({ from, to, text }) =>
      from === to ? `${dayName(from)} ${text}` : `${dayName(from)} to ${dayName(to)} ${text}`,
    ),
  );
}

export const OFFICE_HOURS: JsonObject = Object.fromEntries(
  DAYS.slice(0, 5).map((day) => [day, [['09:00', '17:00']]]),
);
