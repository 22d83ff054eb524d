import type { JsonObject } from './json.ts';
import { pinOf } from './pin-text.ts';
import { findFile } from './tools/find-file.ts';
import { help } from './tools/help.ts';
import { logHours } from './tools/log-hours.ts';
import { myAssignments } from './tools/my-assignments.ts';
import { myCerts } from './tools/my-certs.ts';
import { myShifts } from './tools/my-shifts.ts';
import { myTimesheets } from './tools/my-timesheets.ts';
import { setPin } from './tools/set-pin.ts';
import type { Tool } from './tools/tool.ts';
import { verify } from './tools/verify.ts';
import { whoCan } from './tools/who-can.ts';

/** A tool and its arguments. */
export interface Command {
  tool: Tool;
  args: JsonObject;
}

/** Hours worked, with the groups hours, minutes and rest: `7.5 hours …`, `7h 30min …`, `7 hours and 30 minutes …`. */
const hoursPattern =
  /^(?:log|add|record|enter) (?<hours>\d+(?:[.,]\d+)?) ?(?:h|hrs?|hours?)(?: ?(?:and )?(?<minutes>\d{1,3}) ?(?:m|mins?|minutes?))?(?<rest>(?: .*)?)$/i;

const known = String.raw`\d{4}-\d{2}-\d{2}|today|yesterday`;
const weekday = '(?:mon|tues|wednes|thurs|fri|satur|sun)day';
const month =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
const nth = String.raw`\d{1,2}(?:st|nd|rd|th)?`;
const other = String.raw`(?:(?:last|this|next) )?${weekday}|tomorrow|\d{1,4}[./-]\d{1,2}[./-]\d{1,4}|${nth}(?: of)? ${month}(?: \d{4})?|${month} ${nth}(?: \d{4})?`;
/** Day and month without a year count as a date only after "on" or at the beginning; elsewhere they may be a quantity. */
const shortened = String.raw`\d{1,2}[./]\d{1,2}\.?`;
const end = '(?=[ ,;:]|$)';

/** The first match counts. Understood dates come before dates that the tool has to ask about. */
const dates = [
  new RegExp(`(?:(?: on| for|^) (${known})${end})|(?: (${known})$)`, 'i'),
  new RegExp(`(?:(?: on|^) (${other}|${shortened})${end})|(?: for (${other})${end})|(?: (${other})$)`, 'i'),
];

/**
 * The optional date and description after the hours, in either order. Other forms than `YYYY-MM-DD`, today or yesterday
 * are recognized too, so that the tool asks about them instead of logging the hours today.
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

/** The arguments of log_hours, rounded to hundredths of an hour. */
function hoursOf({ hours = '', minutes = '0', rest = '' }: Record<string, string | undefined>): JsonObject {
  const total = Number(hours.replace(',', '.')) + Number(minutes) / 60;
  return { hours: minutes === '0' ? total : Number(total.toFixed(2)), ...entryOf(rest) };
}

type Rule = [Tool, RegExp, (groups: Record<string, string | undefined>) => JsonObject];

const mine = (nouns: string) => new RegExp(`^(?:(?:show|list|what are) )?(?:me )?my (?:${nouns})$`, 'i');
const none = () => ({});

const rules: Rule[] = [
  [
    setPin,
    /^(?:set|change|reset) ?(?:my )?pin(?:[ -]?code)?(?: (?:to|as))? ?[:=]? ?<?(?<pin>.*?)>?$/i,
    ({ pin = '' }) => ({ pin: pinOf(pin) ?? pin }),
  ],
  [
    verify,
    /^verify(?: ?: ?| )(?:(?:with )?(?:my |the )?code(?: is)?(?:: ?| ))?<?(?<response>.+?)>?$/i,
    ({ response }) => ({ response }),
  ],
  [help, /^(?:help|menu|hi|hello|commands|what can you do)$/i, none],
  [
    whoCan,
    /^who can (?<skills>.+)$/i,
    ({ skills = '' }) => ({ skills: skills.split(/ ?[,&+] ?| and /i).filter((skill) => skill !== '') }),
  ],
  [myShifts, mine('shifts?'), none],
  [myAssignments, mine('assignments?|jobs?'), none],
  [myCerts, mine('certs?|certificates?|certifications?'), none],
  [myTimesheets, mine('time ?sheets?|hours'), none],
  [logHours, hoursPattern, hoursOf],
  [
    findFile,
    /^(?:find|search(?: for)?|look for) (?:(?:the )?files? (?:(?:named|called) )?)?["'“‘]?(?<name>.+?)["'”’]?$/i,
    ({ name }) => ({ name }),
  ],
];

/** Parses a typed command. Text that is not a command is tried again with full-width characters normalized. */
export const parseCommand = (text: string): Command | undefined =>
  commandOf(plainOf(text)) ?? commandOf(plainOf(text.normalize('NFKC')));

function commandOf(plain: string): Command | undefined {
  for (const [tool, pattern, args] of rules) {
    const match = pattern.exec(plain);
    if (match !== null) return { tool, args: args(match.groups ?? {}) };
  }
  return undefined;
}

/** @returns the response to an open verification: yes, no or one word with a digit; undefined for other text */
export function verificationReply(text: string): string | undefined {
  const plain = plainOf(text.normalize('NFKC'));
  return /^(?:y|yes|yep|yeah|n|no|nope|(?=.*\d)[\w-]{3,40})$/i.test(plain) ? plain : undefined;
}

/** Spaces, closing punctuation of several scripts, emoji and invisible characters. */
const trailing =
  /^[\s.!?…,;。！？，؟\p{Cf}\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}\uFE0E\uFE0F]$/u;

/** A loop, because a regular expression takes quadratic time for a long run in the middle. */
function withoutTail(text: string): string {
  const characters = Array.from(text);
  while (trailing.test(characters.at(-1) ?? '')) characters.pop();
  return characters.join('');
}

/** Strips repeated spaces, "please", a slash, a bullet, quotes, stars, emoji and punctuation around the words. */
function plainOf(text: string): string {
  const begun = text
    .replace(/[\s\p{Cf}]+/uy, '')
    .replace(/\s+/g, ' ')
    .replace(/^(?:\/|[•*-] |[¡¿])/, '');
  const bare = withoutTail(begun).replace(/^(["'“‘«*_~`])(.+)["'”’»*_~`]$/, '$2');
  return withoutTail(bare.replace(/^please,? /i, '')).replace(/,? please$/i, '');
}
