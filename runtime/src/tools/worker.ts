import { type CallOptions, ControlPlaneError } from '../control-plane.ts';
import { type JsonObject, textOf } from '../json.ts';
import { type Language, languageOf } from '../language.ts';
import { dateOf, dayIn, type TimeZone } from '../local-time.ts';
import type { SentenceKey } from '../sentences/en.ts';
import { listing } from './lines.ts';
import { noParameters, rowsOf, type Situation, type Tool } from './tool.ts';

/** No staff record is bound to the sender's address. */
export class WorkerUnknown extends Error {
  override readonly name = 'WorkerUnknown';
}

/** The binding of the sender's address is not verified (contract, section 6). */
export class WorkerUnverified extends Error {
  override readonly name: string = 'WorkerUnverified';
}

/** The sender's response did not verify the binding; another response may. */
export class VerificationRefused extends WorkerUnverified {
  override readonly name = 'VerificationRefused';
}

/** The binding was rejected; no response of the sender restores it. */
export class WorkerRejected extends Error {
  override readonly name = 'WorkerRejected';
}

/**
 * Identifies the worker by channel and address (specification 4.6), one of the sender's after the other. The customer selects the
 * worker if an address is bound at several customers.
 */
export async function callAsWorker(
  { controlPlane, message }: Situation,
  method: 'GET' | 'POST',
  path: string,
  options: (who: { channel_type: string; channel_address: string }) => CallOptions,
): Promise<unknown> {
  for (const channel_address of message.addresses) {
    const { query, body } = options({ channel_type: message.channel, channel_address });
    try {
      return await controlPlane(method, path, {
        query: { ...query, customer_id: message.customer_id },
        body,
      });
    } catch (error) {
      if (!(error instanceof ControlPlaneError)) throw error;
      if (error.status === 403 && error.pinRefusal === undefined && !error.isForKnownSenders)
        throw /\brejected\b/i.test(error.detail) ? new WorkerRejected() : new WorkerUnverified();
      if (error.status !== 404 || error.isUnknownRoute) throw error;
    }
  }
  throw new WorkerUnknown();
}

/** True also where the control plane does not say: a command then explains itself. */
export async function isWorker(situation: Situation, path: string): Promise<boolean> {
  try {
    await callAsWorker(situation, 'GET', path, (query) => ({ query }));
  } catch (error) {
    return !(error instanceof WorkerUnknown || error instanceof WorkerRejected);
  }
  return true;
}

/** `my <noun>` reads the worker's own records from `/worker/me/<noun>`. */
export function workerList(
  noun: 'shifts' | 'assignments' | 'timesheets',
  settings: {
    skill: string;
    description: string;
    /** The records have a time, so they can be filtered by day: the headline then, and the answer without any. */
    onDay?: { headline: SentenceKey; none: SentenceKey };
    line: (row: JsonObject, zone: TimeZone, language: Language) => string;
  },
): Tool {
  return {
    name: `my_${noun}`,
    description: settings.description,
    action: (_args, { message }) => languageOf(message).say(`to_see_${noun}`),
    parameters: settings.onDay ? dayParameters : noParameters,
    skill: settings.skill,
    workerPath: `/worker/me/${noun}`,
    run: async (context, args) => {
      const language = languageOf(context.message);
      const { say } = language;
      const day = textOf(args['day']);
      const date = day && dateOf(day, context.zone, Date.parse(context.message.sent_at));
      if (day !== undefined && date === undefined) return say('which_day');
      const all = rowsOf(await callAsWorker(context, 'GET', `/worker/me/${noun}`, (query) => ({ query })));
      const rows = date ? all.filter((row) => isOn(date, row, context.zone)) : all;
      const about = date ? { date: language.date(date) } : {};
      const ofAll = { headline: `your_${noun}`, none: `no_${noun}` } as const;
      const { headline, none } = (date && settings.onDay) || ofAll;
      if (rows.length === 0) return say(none, about);
      const line = (row: JsonObject) => settings.line(row, context.zone, language);
      return listing(say(headline, about), rows, line, language);
    },
  };
}

const dayParameters: JsonObject = {
  type: 'object',
  properties: {
    day: { type: 'string', description: 'today, tomorrow, a weekday or YYYY-MM-DD; all days when left out' },
  },
  additionalProperties: false,
};

/** The record overlaps the local day. A missing time is open-ended. */
function isOn(date: string, { starts_at, ends_at }: JsonObject, zone: TimeZone): boolean {
  const from = typeof starts_at === 'string' ? Date.parse(starts_at) : Number.NaN;
  // A shift that ends at midnight does not belong to the next day.
  const until = typeof ends_at === 'string' ? Date.parse(ends_at) - 1 : Number.NaN;
  const begins = Number.isNaN(from) ? undefined : dayIn(zone, from);
  const ends = Number.isNaN(until) ? undefined : dayIn(zone, until);
  return (begins === undefined || begins <= date) && (ends === undefined || ends >= date);
}

/** ` (approved)`; empty without a status. */
export const statusOf = (row: JsonObject): string => {
  const status = textOf(row['status']);
  return status === undefined ? '' : ` (${status})`;
};
