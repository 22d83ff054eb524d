import { at, type JsonObject, textOf } from '../json.ts';
import { dateOf, dayIn, dayInWords, daysBetween, isDay } from '../local-time.ts';
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
function entryOf(args: JsonObject): Entry | string {
  const { hours } = args;
  const date = String(args['date']);
  if (typeof hours !== 'number' || !(hours > 0 && hours <= maxHours)) {
    return `Hours must be more than 0 and at most ${maxHours}.`;
  }
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) return 'Please give the date as YYYY-MM-DD.';
  if (!isDay(date)) return `There is no ${date} in the calendar. Please give the date as YYYY-MM-DD.`;
  return { date, hours, description: textOf(args['description']) };
}

const hoursInWords = (hours: number) => `${hours} ${hours === 1 ? 'hour' : 'hours'}`;
const purposeOf = ({ description }: Entry) =>
  description === undefined ? '' : ` for ${quoted(description)}`;

/** `log 7.5 hours on 24 November for painting` */
const actionOf = (entry: Entry, situation: Situation) =>
  `log ${hoursInWords(entry.hours)} on ${dayInWords(entry.date, todayOf(situation))}${purposeOf(entry)}`;

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
function doubtsAbout({ date, hours, description }: Entry, before: JsonObject[], today: string): string[] {
  const total = rounded(sumOf(before) + hours);
  const isSame = (row: JsonObject) => row['hours'] === hours && textOf(row['description']) === description;
  const daysAhead = daysBetween(today, date);
  return [
    before.some(isSame) && 'You have logged the same for that day already.',
    total > maxHours && `That day would have ${hoursInWords(total)}.`,
    daysAhead > 0 && 'That day is still to come.',
    daysAhead < -maxDaysBack && `That day is ${-daysAhead} days ago.`,
  ].filter((doubt) => doubt !== false);
}

export const logHours: Tool = {
  name: 'log_hours',
  description: 'Submits hours that the worker who is writing has worked, as a timesheet entry.',
  action: (args, situation) => {
    const entry = entryOf(args);
    return typeof entry === 'string' ? 'log hours' : actionOf(entry, situation);
  },
  usage: 'log 7.5 hours on 2026-11-20 for painting (date and description as you like)',
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
  prepare: (args, situation) => ({ ...args, date: settleDate(args['date'], situation) }),
  run: async (context, args) => {
    const entry = entryOf(args);
    if (typeof entry === 'string') return entry;
    const { date, hours, description } = entry;
    const before = await entriesOf(context, date);
    const doubts = context.isConfirmed ? [] : doubtsAbout(entry, before, todayOf(context));
    if (doubts.length > 0)
      return { question: `${doubts.join(' ')} Send "yes" to ${actionOf(entry, context)} all the same.` };
    const body = { date, hours, ...(description === undefined ? {} : { description }) };
    const made = await callAsWorker(context, 'POST', '/worker/me/timesheet', (query) => ({ query, body }));
    const total = hoursInWords(rounded(sumOf(before) + hours));
    return `Logged ${hoursInWords(hours)} on ${date}${purposeOf(entry)}. That day has ${total} now.${remarksOn(made)}`;
  },
};

/** By warning of the control plane. */
const remarks: Readonly<Record<string, string>> = {
  future: ' It is a day that is still to come.',
  over_24_h: ` That is more than ${maxHours} hours.`,
};

function remarksOn(entry: unknown): string {
  const warnings = at(entry, 'warnings');
  if (!Array.isArray(warnings)) return '';
  return warnings.map((warning: unknown) => remarks[String(warning)] ?? '').join('');
}
