import { type JsonObject, textOf } from '../json.ts';
import type { Language } from '../language.ts';
import { dayIn, minuteIn, type TimeZone, timeIn } from '../local-time.ts';

const maxRows = 20;

/** At most 20 rows, and the number of further rows. `total` may exceed the given rows. */
export function listing(
  headline: string,
  rows: readonly JsonObject[],
  line: (row: JsonObject) => string,
  { say }: Language,
  total = rows.length,
): string {
  const shown = rows.slice(0, maxRows).map((row) => `• ${line(row)}`);
  const more = total - shown.length;
  return [headline, ...shown, ...(more > 0 ? [say('more', { count: more })] : [])].join('\n');
}

const maxQuoted = 80;

/** Text of a person or model within a sentence: one line, not too long. */
export function quoted(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= maxQuoted ? line : `${line.slice(0, maxQuoted).toWellFormed()}…`;
}

/** By commas, without empty values. */
export function joined(...values: unknown[]): string {
  return values
    .map((value) => (typeof value === 'number' ? String(value) : textOf(value)))
    .filter((value) => value !== undefined)
    .join(', ');
}

/** `2026-11-20 09:00 to 17:00 Europe/Berlin`; with a second date if it differs. */
export function period(
  starts: unknown,
  ends: unknown,
  zone: TimeZone,
  { say, timeLocale }: Language,
): string | undefined {
  const [from, until] = [instantOf(starts), instantOf(ends)];
  if (from === undefined) return undefined;
  const begins = minuteIn(zone, from, timeLocale);
  if (until === undefined) return `${begins} ${zone.name}`;
  const isSameDay = dayIn(zone, from) === dayIn(zone, until);
  const ended = (isSameDay ? timeIn : minuteIn)(zone, until, timeLocale);
  return say('period', { from: begins, until: ended, zone: zone.name });
}

function instantOf(value: unknown): number | undefined {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}
