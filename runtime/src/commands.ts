import type { JsonObject } from './json.ts';
import { type Language, languageOf } from './language.ts';
import { pinOf } from './pin-text.ts';
import { amICleared } from './tools/am-i-cleared.ts';
import { findFile } from './tools/find-file.ts';
import { help } from './tools/help.ts';
import { logHours } from './tools/log-hours.ts';
import { mayWork } from './tools/may-work.ts';
import { myAssignments } from './tools/my-assignments.ts';
import { myCerts } from './tools/my-certs.ts';
import { myShifts } from './tools/my-shifts.ts';
import { myTimesheets } from './tools/my-timesheets.ts';
import { readFile } from './tools/read-file.ts';
import { setPin } from './tools/set-pin.ts';
import { talkToAPerson } from './tools/talk-to-a-person.ts';
import type { Tool } from './tools/tool.ts';
import { verify } from './tools/verify.ts';
import { whoCan } from './tools/who-can.ts';
import { whoMayWork } from './tools/who-may-work.ts';
import { writeFirst } from './tools/write-first.ts';

export interface Command {
  tool: Tool;
  args: JsonObject;
}

interface TypedCommand extends Command {
  /** The text can mean nothing else, so no model reads it. */
  isExact: boolean;
}

/** `log 7.5 hours …`, `log 7h 30min …`, `log 7 hours and 30 minutes …` */
const hoursPattern =
  /^(?:log|add|record|enter) (?<hours>\d+(?:[.,]\d+)?) ?(?:h|hrs?|hours?)(?: ?(?:and )?(?<minutes>\d{1,3}) ?(?:m|mins?|minutes?))?(?<rest>(?: .*)?)$/i;

const known = String.raw`\d{4}-\d{2}-\d{2}|today|yesterday`;
const weekday = '(?:mon|tues|wednes|thurs|fri|satur|sun)day';
const month =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
const nth = String.raw`\d{1,2}(?:st|nd|rd|th)?`;
const other = String.raw`(?:(?:last|this|next) )?${weekday}|tomorrow|\d{1,4}[./-]\d{1,2}[./-]\d{1,4}|${nth}(?: of)? ${month}(?: \d{4})?|${month} ${nth}(?: \d{4})?`;
/** A date only after "on" or at the beginning; elsewhere it may be a quantity. */
const shortened = String.raw`\d{1,2}[./]\d{1,2}\.?`;
const end = '(?=[ ,;:]|$)';

/** The first match counts: understood dates, then dates that the tool asks about. */
const dates = [
  new RegExp(`(?:(?: on| for|^) (${known})${end})|(?: (${known})$)`, 'i'),
  new RegExp(`(?:(?: on|^) (${other}|${shortened})${end})|(?: for (${other})${end})|(?: (${other})$)`, 'i'),
];

/**
 * The optional date and description after the hours, in any order. Recognizes dates in other forms than `YYYY-MM-DD`, today
 * or yesterday, too, so that the tool asks about them instead of using today.
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

/** In hundredths of an hour. */
function hoursOf({ hours = '', minutes = '0', rest = '' }: Record<string, string | undefined>): JsonObject {
  const total = Number(hours.replace(',', '.')) + Number(minutes) / 60;
  return { hours: minutes === '0' ? total : Number(total.toFixed(2)), ...entryOf(rest) };
}

interface Rule {
  tool: Tool;
  pattern: RegExp;
  args?: (groups: Record<string, string | undefined>) => JsonObject;
  /** True: the text may mean something else, so a model reads it first. */
  isLoose?: (args: JsonObject) => boolean;
}

const anyDay = `today|tomorrow|yesterday|${weekday}|\\d{4}-\\d{2}-\\d{2}`;
const onDay = `(?: (?:for |on )?(?<day>${anyDay}))?`;
const mine = (nouns: string, rest = '') =>
  new RegExp(`^(?:(?:show|list|what are|what's) )?(?:me )?my (?:${nouns})${rest}$`, 'i');
const ofDay = ({ day }: Record<string, string | undefined>): JsonObject =>
  day === undefined ? {} : { day: day.toLowerCase() };

/** Behind "work at": what is no place. */
const noSite = 'heights?|nights?|home|all';
/** A place after "at" or "in", and a day; `can Cal work friday` names none. */
const somewhere = `(?: (?:at|in|for) (?<site>(?!(?:${anyDay}|${noSite})$).+?))?${onDay}`;
const ofWork = ({ site, ...day }: Record<string, string | undefined>): JsonObject => ({
  ...(site !== undefined && { site }),
  ...ofDay(day),
});

const wordsIn = (value: unknown) => String(value).split(' ').length;
const maxSkillWords = 3;
const maxNameWords = 4;
/** "find me a plumber" names no file. */
const noName = /^(?:me|us|out|someone|somebody|anyone|a|an|the way|my) /i;

/** "log 2 hours and tell Ana" has two requests. */
const goesOn = /^(?:and|then|but|also|plus)\b/i;

const someone =
  '(?:a |an |the |some |your )?(?:real |live |actual )?(?:human(?: being)?|person|someone|somebody|operator|representative|agent|colleague|employee|manager|staff)';
const wanting = "(?:(?:can|could|may) i |i (?:want|need|would like|wish) (?:to )?|i'd like to |let me )?";
const personPatterns = [
  `${wanting}(?:talk|speak|chat) (?:to|with) ${someone}`,
  `(?:i (?:want|need)|get me|give me|connect me (?:to|with)|put me through to|transfer me to) ${someone}`,
  '(?:human|operator|real person|live agent)',
  '(?:ich (?:möchte|will) )?(?:bitte )?mit (?:einem menschen|einem mitarbeiter|jemandem) (?:sprechen|reden)',
];

const rules: Rule[] = [
  {
    tool: setPin,
    pattern: /^(?:set|change|reset) ?(?:my )?pin(?:[ -]?code)?(?: (?:to|as))? ?[:=]? ?<?(?<pin>.*?)>?$/i,
    args: ({ pin = '' }) => ({ pin: pinOf(pin) ?? pin }),
  },
  {
    tool: verify,
    pattern: /^verify(?: ?: ?| )(?:(?:with )?(?:my |the )?code(?: is)?(?:: ?| ))?<?(?<response>.+?)>?$/i,
    args: ({ response }) => ({ response }),
  },
  {
    tool: writeFirst,
    pattern:
      /^(?:stop|stopp|stoppen|stop all|unsubscribe|opt[ -]?out|abmelden|abbestellen|(?:darme de )?baja|arrêt|arrêter|désabonner|désinscrire|parar|descadastrar|disiscrivimi|cancellami|afmelden|uitschrijven)$/i,
    args: () => ({ allowed: false }),
  },
  {
    tool: writeFirst,
    pattern:
      /^(?:start|unstop|subscribe|opt[ -]?in|anmelden|(?:darme de )?alta|réabonner|inscrire|inscrever|iscrivimi|aanmelden|inschrijven)$/i,
    args: () => ({ allowed: true }),
  },
  {
    tool: talkToAPerson,
    pattern: new RegExp(`^(?:${personPatterns.join('|')})$`, 'i'),
  },
  { tool: help, pattern: /^(?:help|menu|commands|what can you do)$/i },
  { tool: help, pattern: /^(?:hi|hello)$/i, isLoose: () => true },
  {
    tool: whoMayWork,
    pattern: new RegExp(`^who (?:can|may|is (?:cleared|allowed) to) work${somewhere}$`, 'i'),
    args: ofWork,
  },
  {
    tool: amICleared,
    pattern: new RegExp(`^am i (?:cleared|allowed|eligible)(?: to work)?${somewhere}$`, 'i'),
    args: ofWork,
  },
  {
    tool: whoCan,
    pattern: /^who can (?<skills>.+)$/i,
    args: ({ skills = '' }) => ({ skills: skills.split(/ ?[,&+] ?| and /i).filter((skill) => skill !== '') }),
    isLoose: ({ skills }) => Array.isArray(skills) && skills.some((skill) => wordsIn(skill) > maxSkillWords),
  },
  { tool: myShifts, pattern: mine('shifts?|roster|rota', onDay), args: ofDay },
  {
    tool: myShifts,
    pattern: new RegExp(
      `^(?:am i (?:working|on shift|rostered)|do i work|do i have (?:a )?shifts?)${onDay}$`,
      'i',
    ),
    args: ofDay,
  },
  { tool: myShifts, pattern: /^when (?:am i working|do i work)(?: next)?$/i },
  { tool: myAssignments, pattern: mine('assignments?|jobs?|work', onDay), args: ofDay },
  { tool: myCerts, pattern: mine('certs?|certificates?|certifications?') },
  {
    tool: myCerts,
    pattern:
      /^(?:can|may) i (?:drive|operate|use|run) (?:the |an? )?(?<type>.+?)(?: (?:at|on|in) (?<site>.+))?$/i,
    args: ({ type, site }) => ({ type, ...(site !== undefined && { site }) }),
    isLoose: () => true,
  },
  {
    tool: mayWork,
    pattern: new RegExp(
      `^(?:can|may|is) (?!(?:i|you|we|they|he|she|it|this|that|someone|somebody|anyone|anybody) )(?<name>.+?) (?:(?:cleared |allowed )?(?:to )?work|(?:drive|operate|use|run) (?:the |an? )?(?<type>.+?))${somewhere}$`,
      'i',
    ),
    args: ({ name, type, ...work }) => ({ name, ...(type !== undefined && { type }), ...ofWork(work) }),
    isLoose: ({ name }) => wordsIn(name) > maxNameWords,
  },
  { tool: myTimesheets, pattern: mine('time ?sheets?|hours') },
  {
    tool: logHours,
    pattern: hoursPattern,
    args: hoursOf,
    isLoose: ({ description }) => typeof description === 'string' && goesOn.test(description),
  },
  {
    tool: findFile,
    pattern:
      /^(?:find|search(?: for)?|look for) (?:(?:the )?files? (?:(?:named|called) )?)?["'“‘]?(?<name>.+?)["'”’]?$/i,
    args: ({ name }) => ({ name }),
    isLoose: ({ name }) => wordsIn(name) > maxNameWords || noName.test(String(name)),
  },
  {
    tool: readFile,
    pattern: /^(?:read|open) (?:(?:the )?files? (?:(?:named|called) )?)?["'“‘]?(?<name>.+?)["'”’]?$/i,
    args: ({ name }) => ({ name }),
    isLoose: () => true,
  },
];

/** Text that is not a command is parsed again with full-width characters normalized. */
export const parseCommand = (text: string): TypedCommand | undefined =>
  commandOf(plainOf(text)) ?? commandOf(plainOf(text.normalize('NFKC')));

function commandOf(plain: string): TypedCommand | undefined {
  for (const { tool, pattern, args: argsOf = () => ({}), isLoose = () => false } of rules) {
    const match = pattern.exec(plain);
    if (match === null) continue;
    const args = argsOf(match.groups ?? {});
    return { tool, args, isExact: !isLoose(args) };
  }
  return undefined;
}

const withoutAccents = (word: string) => word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** The word that the sentences of the language ask for, also without its accents. */
function askedFor(plain: string, { say }: Language): 'yes' | 'no' | undefined {
  const word = withoutAccents(plain);
  if (word === withoutAccents(say('yes'))) return 'yes';
  return word === withoutAccents(say('no')) ? 'no' : undefined;
}

/** For a yes-or-no question; undefined for other text. */
export function consentIn(text: string, language: Language): 'yes' | 'no' | undefined {
  const plain = plainOf(text.normalize('NFKC'));
  if (/^(?:y|yes|yep|yeah|ja|ok(?:ay)?|sure|confirm)$/i.test(plain)) return 'yes';
  if (/^(?:n|no|nope|nein|cancel)$/i.test(plain)) return 'no';
  return askedFor(plain, language);
}

/** For an open verification: yes, no or one word with a digit; undefined for other text. */
export function verificationReply(text: string, language = languageOf({})): string | undefined {
  const plain = plainOf(text.normalize('NFKC'));
  if (/^(?:y|yes|yep|yeah|n|no|nope|(?=.*\d)[\w-]{3,40})$/i.test(plain)) return plain;
  return askedFor(plain, language);
}

/** Spaces, closing punctuation of several scripts, emoji and invisible characters. */
const trailing =
  /^[\s.!?…,;。！？，؟\p{Cf}\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}\uFE0E\uFE0F]$/u;

/** A regular expression would take quadratic time for a long run in the middle. */
function withoutTail(text: string): string {
  const characters = Array.from(text);
  while (trailing.test(characters.at(-1) ?? '')) characters.pop();
  return characters.join('');
}

/** Removes repeated spaces, "please", a slash, a bullet, quotes, stars, emoji and punctuation around the words. */
function plainOf(text: string): string {
  const begun = text
    .replace(/[\s\p{Cf}]+/uy, '')
    .replace(/\s+/g, ' ')
    .replace(/^(?:\/|[•*-] |[¡¿])/, '');
  const bare = withoutTail(begun).replace(/^(["'“‘«*_~`])(.+)["'”’»*_~`]$/, '$2');
  return withoutTail(bare.replace(/^please,? /i, '')).replace(/,? please$/i, '');
}
