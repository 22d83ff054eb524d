import { CronPattern } from 'croner';

const DAYS_OF_MONTHS = [[31], [28, 29], [31], [30], [31], [30], [31], [31], [30], [31], [30], [31]];
const WEEKDAYS = [0, 1, 2, 3, 4, 5, 6];
const SUNDAY = 0;
const SATURDAY = 6;
/** The bit of `L` in a weekday of the pattern; the bits below stand for its places 1 to 5 in the month. */
const LAST = 32;

/** A day of a month of `length` days that begins with the weekday `first`. */
interface Day {
  number: number;
  length: number;
  first: number;
}

/**
 * True for five fields that match some day. By arithmetic, because the library looks for a time that never comes through
 * centuries: every weekday comes on every day of a month, the 29th of February included.
 */
export function isCronTime(text: string): boolean {
  const known = judged.get(text);
  if (known !== undefined) return known;
  if (judged.size >= MOST_JUDGED) judged.clear();
  const isTime = judge(text);
  judged.set(text, isTime);
  return isTime;
}

/** Customers of one recipe have the same schedules. */
const judged = new Map<string, boolean>();
const MOST_JUDGED = 1000;

function judge(text: string): boolean {
  let pattern: CronPattern;
  try {
    pattern = parse(text);
  } catch {
    return false;
  }
  return DAYS_OF_MONTHS.some(
    (lengths, month) => pattern.month[month] && lengths.some((length) => hasDay(pattern, length)),
  );
}

const DAY_MS = 86_400_000;
/** A weekday comes on the 29th of February once in 28 years, and in 40 around 2100. */
const MOST_MONTHS = 41 * 12;

/** The first day in UTC that matches, by its beginning; undefined for none within 41 years. */
export function dayOnOrAfter(text: string, from: Date): Date | undefined {
  const pattern = parse(text);
  const [year, month] = [from.getUTCFullYear(), from.getUTCMonth()];
  for (let months = 0; months < MOST_MONTHS; months++) {
    if (pattern.month[(month + months) % 12] !== 1) continue;
    const length = new Date(Date.UTC(year, month + months + 1, 0)).getUTCDate();
    const first = new Date(Date.UTC(year, month + months, 1)).getUTCDay();
    for (let number = months === 0 ? from.getUTCDate() : 1; number <= length; number++)
      if (isMatch(pattern, { number, length, first }))
        return new Date(Date.UTC(year, month + months, number));
  }
  return undefined;
}

/** True if a day in some time zone between two times matches; only then is the library's search a short one. */
export function mayComeBetween(text: string, from: Date, to: Date): boolean {
  const pattern = parse(text);
  for (let at = from.getTime() - DAY_MS; at <= to.getTime() + DAY_MS; at += DAY_MS)
    if (isOn(pattern, new Date(at))) return true;
  return false;
}

const parse = (text: string): CronPattern => new CronPattern(text, undefined, { mode: '5-part' });

function isOn(pattern: CronPattern, date: Date): boolean {
  const [year, month, number] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  const length = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const first = new Date(Date.UTC(year, month, 1)).getUTCDay();
  return pattern.month[month] === 1 && isMatch(pattern, { number, length, first });
}

const hasDay = (pattern: CronPattern, length: number): boolean =>
  WEEKDAYS.some((first) => {
    for (let number = 1; number <= length; number++)
      if (isMatch(pattern, { number, length, first })) return true;
    return false;
  });

/** The library's rule: either of the two day fields, or both after `+` and beside a `*`. */
function isMatch(pattern: CronPattern, day: Day): boolean {
  const isDay = matchesDay(pattern, day);
  if (pattern.starDOW) return isDay;
  const isWeekday = matchesWeekday(pattern, day);
  return pattern.useAndLogic || pattern.starDOM ? isDay && isWeekday : isDay || isWeekday;
}

const weekdayOf = ({ first }: Day, number: number): number => (first + number - 1) % 7;

function matchesDay(pattern: CronPattern, day: Day): boolean {
  const { number, length } = day;
  return (
    pattern.day[number - 1] === 1 ||
    (pattern.lastDayOfMonth && number === length) ||
    (pattern.lastWeekday && number === nearestWeekday(day, length)) ||
    pattern.nearestWeekdays.some(
      (isNamed, index) => isNamed === 1 && index < length && number === nearestWeekday(day, index + 1),
    )
  );
}

/** The day from Monday to Friday nearest to another, within the month. */
function nearestWeekday(day: Day, number: number): number {
  const weekday = weekdayOf(day, number);
  if (weekday === SUNDAY) return number === day.length ? number - 2 : number + 1;
  if (weekday === SATURDAY) return number === 1 ? number + 2 : number - 1;
  return number;
}

function matchesWeekday({ dayOfWeek }: CronPattern, day: Day): boolean {
  const places = dayOfWeek[weekdayOf(day, day.number)] ?? 0;
  const place = 1 << Math.floor((day.number - 1) / 7);
  return (places & place) !== 0 || ((places & LAST) !== 0 && day.number > day.length - 7);
}
