export interface NamedEnd {
  name: string;
  /** YYYY-MM-DD; null without an end. */
  end: string | null;
}

/** Splits `name:end` at the last colon; a text without one is a name. undefined where the end is no day, or one of two. */
export function readNamedEnd(text: string): NamedEnd | undefined {
  const at = text.lastIndexOf(':');
  if (at < 0) return { name: text, end: null };
  const name = text.slice(0, at).trim();
  const end = readDay(text.slice(at + 1).trim());
  return name === '' || end === undefined ? undefined : { name, end };
}

const YEAR_FIRST = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/;
const YEAR_LAST = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})$/;
const MONTHS = 12;

/** A day as people write it, as YYYY-MM-DD; undefined for what is none, and for what can be read in two ways (03/04/2030). */
function readDay(text: string): string | undefined {
  const [, year, , month, day] = YEAR_FIRST.exec(text) ?? [];
  if (year !== undefined) return dayOf(year, Number(month), Number(day));
  const [, one, , other, last] = YEAR_LAST.exec(text) ?? [];
  if (last === undefined) return undefined;
  const [first, second] = [Number(one), Number(other)];
  if (first !== second && first <= MONTHS && second <= MONTHS) return undefined;
  return first > MONTHS ? dayOf(last, second, first) : dayOf(last, first, second);
}

/** undefined for a day that no calendar has. */
function dayOf(year: string, month: number, day: number): string | undefined {
  const text = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
  const time = new Date(`${text}T00:00:00Z`);
  const isDay = !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text);
  return isDay && year !== '0000' ? text : undefined;
}
