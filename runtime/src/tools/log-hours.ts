import { at, type JsonObject, textOf } from '../json.ts';
import { type Language, languageOf } from '../language.ts';
import { dateOf, dayIn, daysBetween, isDay } from '../local-time.ts';
import { quoted } from './lines.ts';
import { rowsOf, type Situation, type Tool, type ToolContext } from './tool.ts';
import { callAsWorker } from './worker.ts';

const maxHours = 24;
/** An earlier date is more likely wrong than late. */
const maxDaysBack = 31;

interface Entry {
  date: string;
  hours: number;
  description: string | undefined;
}

const todayOf = ({ message, zone }: Situation) => dayIn(zone, Date.parse(message.sent_at));

/** Resolves relative days by the time of the message; today by default. */
function settleDate(value: unknown, { message, zone }: Situation): string {
  const given = textOf(value)?.toLowerCase() ?? 'today';
  const isRelative = ['today', 'yesterday', 'tomorrow'].includes(given);
  return (isRelative && dateOf(given, zone, Date.parse(message.sent_at))) || given;
}

/** A text says what is wrong with the arguments. */
function entryOf(args: JsonObject, { say }: Language): Entry | string {
  const { hours } = args;
  const date = String(args['date']);
  if (typeof hours !== 'number' || !(hours > 0 && hours <= maxHours)) {
    return say('hours_bounds', { max: maxHours });
  }
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) return say('date_form');
  if (!isDay(date)) return say('date_unknown', { date });
  return { date, hours, description: textOf(args['description']) };
}

const purposeOf = ({ description }: Entry, { say }: Language) =>
  description === undefined ? '' : say('purpose', { description: quoted(description) });

/** `log 7.5 hours on 24 November for painting` */
function actionOf(entry: Entry, situation: Situation): string {
  const language = languageOf(situation.message);
  return language.say('to_log_entry', {
    hours: language.hours(entry.hours),
    date: language.dayInWords(entry.date, todayOf(situation)),
    purpose: purposeOf(entry, language),
  });
}

/** Without rejected entries. */
async function entriesOf(context: ToolContext, date: string): Promise<JsonObject[]> {
  const rows = rowsOf(await callAsWorker(context, 'GET', '/worker/me/timesheets', (query) => ({ query })));
  return rows.filter((row) => row['date'] === date && row['status'] !== 'rejected');
}

const sumOf = (rows: readonly JsonObject[]) =>
  rows.reduce((sum, { hours }) => sum + (typeof hours === 'number' ? hours : 0), 0);

/** Sums of fractions are not exact. */
const rounded = (hours: number) => Number(hours.toFixed(2));

/** Reasons to ask for a confirmation. */
function doubtsAbout(
  { date, hours, description }: Entry,
  before: JsonObject[],
  today: string,
  { say, ...language }: Language,
): string[] {
  const total = rounded(sumOf(before) + hours);
  const isSame = (row: JsonObject) => row['hours'] === hours && textOf(row['description']) === description;
  const daysAhead = daysBetween(today, date);
  return [
    before.some(isSame) && say('doubt_same'),
    total > maxHours && say('doubt_total', { hours: language.hours(total) }),
    daysAhead > 0 && say('doubt_future'),
    daysAhead < -maxDaysBack && say('doubt_past', { days: language.days(-daysAhead) }),
  ].filter((doubt) => doubt !== false);
}

export const logHours: Tool = {
  name: 'log_hours',
  description: 'Submits hours that the worker who is writing has worked, as a timesheet entry.',
  action: (args, situation) => {
    const language = languageOf(situation.message);
    const entry = entryOf(args, language);
    return typeof entry === 'string' ? language.say('to_log_hours') : actionOf(entry, situation);
  },
  parameters: {
    type: 'object',
    properties: {
      hours: { type: 'number', exclusiveMinimum: 0, maximum: maxHours },
      date: { type: 'string', description: 'YYYY-MM-DD, today or yesterday; today when left out' },
      description: { type: 'string', description: 'What the hours were for' },
    },
    required: ['hours'],
    additionalProperties: false,
  },
  skill: 'timesheet',
  workerPath: '/worker/me/timesheets',
  prepare: (args, situation) => ({ ...args, date: settleDate(args['date'], situation) }),
  run: async (context, args) => {
    const language = languageOf(context.message);
    const { say } = language;
    const entry = entryOf(args, language);
    if (typeof entry === 'string') return entry;
    const { date, hours, description } = entry;
    const before = await entriesOf(context, date);
    const doubts = context.isConfirmed ? [] : doubtsAbout(entry, before, todayOf(context), language);
    if (doubts.length > 0)
      return { question: say('confirm', { doubts: doubts.join(' '), action: actionOf(entry, context) }) };
    const body = { date, hours, ...(description === undefined ? {} : { description }) };
    const made = await callAsWorker(context, 'POST', '/worker/me/timesheet', (query) => ({ query, body }));
    const logged = say('logged', {
      hours: language.hours(hours),
      date: language.date(date),
      purpose: purposeOf(entry, language),
      total: language.hours(rounded(sumOf(before) + hours)),
    });
    return [logged, ...remarksOn(made, language)].join(' ');
  },
};

/** By warning of the control plane. */
function remarksOn(entry: unknown, { say, hours }: Language): string[] {
  const warnings = at(entry, 'warnings');
  const remarks: Readonly<Record<string, string>> = {
    future: say('remark_future'),
    over_24_h: say('remark_over_24_h', { hours: hours(maxHours) }),
  };
  if (!Array.isArray(warnings)) return [];
  return warnings.flatMap((warning: unknown) => remarks[String(warning)] ?? []);
}
