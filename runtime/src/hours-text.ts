/** What a person writes of hours that were worked, after "log": how many, on which day and for what. */
import type { JsonObject } from './json.ts';

/** The groups hours, minutes and rest: `7.5 hours …`, `7h 30min …`, `7 hours and 30 minutes …`. */
export const hoursPattern =
  /^(?:log|add|record|enter) (?<hours>\d+(?:[.,]\d+)?) ?(?:h|hrs?|hours?)(?: ?(?:and )?(?<minutes>\d{1,3}) ?(?:m|mins?|minutes?))?(?<rest>(?: .*)?)$/i;

const known = String.raw`\d{4}-\d{2}-\d{2}|today|yesterday`;
const weekday = '(?:mon|tues|wednes|thurs|fri|satur|sun)day';
const month =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
const nth = String.raw`\d{1,2}(?:st|nd|rd|th)?`;
const other = String.raw`(?:(?:last|this|next) )?${weekday}|tomorrow|\d{1,4}[./-]\d{1,2}[./-]\d{1,4}|${nth}(?: of)? ${month}(?: \d{4})?|${month} ${nth}(?: \d{4})?`;
/** A day and a month alone may as well be a number of something: only after "on" or first of all are they a date. */
const shortened = String.raw`\d{1,2}[./]\d{1,2}\.?`;
const end = '(?=[ ,;:]|$)';

/** The first that is found counts: a day that is understood before one that has to be asked for. */
const dates = [
  new RegExp(`(?:(?: on| for|^) (${known})${end})|(?: (${known})$)`, 'i'),
  new RegExp(`(?:(?: on|^) (${other}|${shortened})${end})|(?: for (${other})${end})|(?: (${other})$)`, 'i'),
];

/**
 * The optional date and description after the hours, in either order. A date in other words than `YYYY-MM-DD`, today or
 * yesterday is a date as well, for the tool to ask about: hours must not go to today when another day was named.
 */
function entryOf(rest: string): JsonObject {
  const [dated = '', ...found] = dates.map((date) => date.exec(rest)).find((match) => match !== null) ?? [];
  const date = found.find((text) => text !== undefined);
  const description = rest
    .replace(dated, '')
    .replace(/^[ ,;]*(?:for |: ?|- ?)?/i, '')
    .trim();
  return { ...(date && { date: date.toLowerCase() }), ...(description && { description }) };
}

/** The arguments of log_hours; hours in hundredths. */
export function hoursOf({
  hours = '',
  minutes = '0',
  rest = '',
}: Record<string, string | undefined>): JsonObject {
  const total = Number(hours.replace(',', '.')) + Number(minutes) / 60;
  return { hours: minutes === '0' ? total : Number(total.toFixed(2)), ...entryOf(rest) };
}
