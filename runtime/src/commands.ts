import { hoursOf, hoursPattern } from './hours-text.ts';
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
import { plainOf } from './typed-text.ts';

/** A tool and what to call it with. */
export interface Command {
  tool: Tool;
  args: JsonObject;
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

/** What a person typed, as a command; in full-width characters where it is none as it stands. */
export const parseCommand = (text: string): Command | undefined =>
  commandOf(plainOf(text)) ?? commandOf(plainOf(text.normalize('NFKC')));

function commandOf(plain: string): Command | undefined {
  for (const [tool, pattern, args] of rules) {
    const match = pattern.exec(plain);
    if (match !== null) return { tool, args: args(match.groups ?? {}) };
  }
  return undefined;
}

/** The answer to an open verification in a reply: yes, no, or one word with a digit in it; undefined where it has none. */
export function verificationReply(text: string): string | undefined {
  const plain = plainOf(text.normalize('NFKC'));
  return /^(?:y|yes|yep|yeah|n|no|nope|(?=.*\d)[\w-]{3,40})$/i.test(plain) ? plain : undefined;
}
