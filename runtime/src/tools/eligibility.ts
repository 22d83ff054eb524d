import { at, type JsonObject, textOf } from '../json.ts';
import { type Language, languageOf } from '../language.ts';
import { dateOf, dayIn, type TimeZone } from '../local-time.ts';
import { quoted } from './lines.ts';
import { rowsOf, type Situation } from './tool.ts';

/** Where and when, from the sender's words; a day may be a word that no calendar knows. */
export interface AskedWork {
  site: string | undefined;
  day: string;
}

export const workProperties = {
  site: { type: 'string', description: 'The place of the work; any when left out' },
  day: { type: 'string', description: 'today, tomorrow, a weekday or YYYY-MM-DD; today when left out' },
};

/** A command that waits for a PIN keeps its day. */
export function withDay(args: JsonObject, { zone, message }: Situation): JsonObject {
  const day = textOf(args['day']);
  const sent = Date.parse(message.sent_at);
  return { ...args, day: day === undefined ? dayIn(zone, sent) : (dateOf(day, zone, sent) ?? day) };
}

/** undefined: the day is none. @param args prepared by `withDay` */
export function workOf(args: JsonObject, { zone, message }: Situation): AskedWork | undefined {
  const day = dateOf(textOf(args['day']) ?? 'today', zone, Date.parse(message.sent_at));
  return day === undefined ? undefined : { site: textOf(args['site'])?.trim(), day };
}

/** For the sentences: `{place}` and `{date}`. */
export const wordsOf = ({ site, day }: AskedWork, { say, date }: Language) => ({
  place: site === undefined ? '' : say('at_place', { site: quoted(site) }),
  date: date(day),
});

/** A line below an answer about a place that no record names. */
export const cautionOf = (answer: unknown, { site }: AskedWork, { say }: Language): string => {
  const warnings = at(answer, 'warnings');
  const isUnknown = Array.isArray(warnings) && warnings.includes('site_unknown') && site !== undefined;
  return isUnknown ? `\n${say('place_unknown', { site: quoted(site) })}` : '';
};

/** `the certificate crane is valid only to 2026-11-26; no shift there at that time` */
export function reasonsOf(person: JsonObject, { message, zone }: Situation): string {
  const language = languageOf(message);
  return rowsOf(person['reasons'])
    .map((reason) => reasonOf(reason, zone, language))
    .join('; ');
}

const plainReasons = {
  status_not_active: 'why_status',
  skill_missing: 'why_skill',
  tier_too_low: 'why_tier',
  role_not_allowed: 'why_role',
  certification_missing: 'why_no_certification',
  induction_missing: 'why_no_induction',
  not_on_shift: 'why_no_shift',
  on_shift_elsewhere: 'why_other_shift',
  not_assigned: 'why_no_assignment',
  assigned_elsewhere: 'why_other_assignment',
} as const;

const isPlain = (code: string): code is keyof typeof plainReasons => Object.hasOwn(plainReasons, code);

function reasonOf(reason: JsonObject, zone: TimeZone, language: Language): string {
  const { say } = language;
  const code = textOf(reason['code']) ?? '';
  const given = reason['value'];
  const value = typeof given === 'number' ? String(given) : quoted(textOf(given) ?? '');
  if (isPlain(code)) return say(plainReasons[code], { value });
  if (code === 'none_of') {
    const all = rowsOf(reason['alternatives']).map((one) => reasonOf(one, zone, language));
    return say('why_none', { reasons: all.join(', ') });
  }
  const kind = code.startsWith('induction') ? 'induction' : 'certification';
  const isComing = code.endsWith('_not_yet_valid');
  const date = isComing ? dayOf(reason['until'], zone) : lastDayBefore(reason['since'], zone);
  // A code of a newer control plane has words of its own.
  if (!/_(?:expired|expires_during|not_yet_valid)$/.test(code)) return textOf(reason['message']) ?? code;
  if (date === undefined) return say('why_unread', { value });
  return say(`why_${kind}_${isComing ? 'from' : 'to'}`, { value, date: language.date(date) });
}

/** The day that a moment ends, or in which it is. */
export function lastDayBefore(moment: unknown, zone: TimeZone): string | undefined {
  const instant = typeof moment === 'string' ? Date.parse(moment) : Number.NaN;
  return Number.isNaN(instant) ? undefined : dayIn(zone, instant - 1);
}

function dayOf(moment: unknown, zone: TimeZone): string | undefined {
  const instant = typeof moment === 'string' ? Date.parse(moment) : Number.NaN;
  return Number.isNaN(instant) ? undefined : dayIn(zone, instant);
}
