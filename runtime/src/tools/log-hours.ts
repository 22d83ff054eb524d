import { at, textOf } from '../json.ts';
import { dayIn, isDay } from '../local-time.ts';
import type { Tool, ToolContext } from './tool.ts';
import { callAsWorker } from './worker.ts';

/** Resolves today (the default) and yesterday to the customer's local dates at the time of the message. */
function dateOf(value: unknown, { message, zone }: ToolContext): string {
  const given = textOf(value)?.toLowerCase() ?? 'today';
  const daysBack = ['today', 'yesterday'].indexOf(given);
  if (daysBack === -1) return given;
  return dayIn(zone, Date.parse(message.received_at), daysBack);
}

/** Remarks for warnings of an entry. */
const remarks: Readonly<Record<string, string>> = {
  future: ' That day is still to come.',
  over_24_h: ' That day now has more than 24 hours.',
};

function remarksOn(entry: unknown): string {
  const warnings = at(entry, 'warnings');
  if (!Array.isArray(warnings)) return '';
  return warnings.map((warning: unknown) => remarks[String(warning)] ?? '').join('');
}

export const logHours: Tool = {
  name: 'log_hours',
  description: 'Submits hours that the worker who is writing has worked, as a timesheet entry.',
  action: 'log hours',
  usage: 'log 7.5 hours on 2026-11-20 for painting (date and description as you like)',
  parameters: {
    type: 'object',
    properties: {
      hours: { type: 'number', exclusiveMinimum: 0, maximum: 24 },
      date: { type: 'string', description: 'YYYY-MM-DD, today or yesterday; today when left out' },
      description: { type: 'string', description: 'What the hours were for' },
    },
    required: ['hours'],
    additionalProperties: false,
  },
  skill: 'timesheet',
  run: async (context, args) => {
    const hours = args['hours'];
    if (typeof hours !== 'number' || !(hours > 0 && hours <= 24)) {
      return 'Hours must be more than 0 and at most 24.';
    }
    const date = dateOf(args['date'], context);
    if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) return 'Please give the date as YYYY-MM-DD.';
    if (!isDay(date)) return `There is no ${date} in the calendar. Please give the date as YYYY-MM-DD.`;
    const description = textOf(args['description']);
    const body = { date, hours, ...(description === undefined ? {} : { description }) };
    const entry = await callAsWorker(context, 'POST', '/worker/me/timesheet', (query) => ({ query, body }));
    const what = description === undefined ? '' : ` for ${description}`;
    return `Logged ${hours} hours on ${date}${what}.${remarksOn(entry)}`;
  },
};
