import { type CallOptions, ControlPlaneError } from '../control-plane.ts';
import { type JsonObject, textOf } from '../json.ts';
import { dateOf, dayIn, type TimeZone } from '../local-time.ts';
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

/** The binding of the sender's address was rejected; no response of the sender restores it. */
export class WorkerRejected extends Error {
  override readonly name = 'WorkerRejected';
}

/**
 * Calls a worker route with the channel and address that identify the worker (specification 4.6). A sender may be bound
 * by a business-scoped user id or a phone number; the phone number is tried when the id is unknown. The customer tells
 * which worker an address speaks for that is bound with several.
 */
export async function callAsWorker(
  { controlPlane, message }: Situation,
  method: 'GET' | 'POST',
  path: string,
  options: (who: { channel_type: string; channel_address: string }) => CallOptions,
): Promise<unknown> {
  const addresses = new Set([message.external_id, message.sender_phone ?? message.external_id]);
  for (const channel_address of addresses) {
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

/** A tool that lists the worker's own records: `my <noun>` reads `/worker/me/<noun>`. */
export function workerList(
  noun: 'shifts' | 'assignments' | 'timesheets',
  settings: {
    skill: string;
    description: string;
    usage?: string;
    /** True when the records have a time, so that a day can be asked for. */
    isTimed?: true;
    line: (row: JsonObject, zone: TimeZone) => string;
  },
): Tool {
  return {
    name: `my_${noun}`,
    description: settings.description,
    action: () => `see your ${noun}`,
    usage: settings.usage ?? `my ${noun}`,
    parameters: settings.isTimed ? dayParameters : noParameters,
    skill: settings.skill,
    run: async (context, args) => {
      const day = textOf(args['day']);
      const date = day && dateOf(day, context.zone, Date.parse(context.message.received_at));
      if (day !== undefined && date === undefined)
        return 'Which day? Today, tomorrow, a weekday or YYYY-MM-DD.';
      const all = rowsOf(await callAsWorker(context, 'GET', `/worker/me/${noun}`, (query) => ({ query })));
      const rows = date === undefined ? all : all.filter((row) => isOn(date, row, context.zone));
      const what = date === undefined ? noun : `${noun} on ${date}`;
      return rows.length === 0
        ? `You have no ${what}.`
        : listing(`Your ${what}:`, rows, (row) => settings.line(row, context.zone));
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

/** True when a record's time touches the local day; a time that is missing has no end there. */
function isOn(date: string, { starts_at, ends_at }: JsonObject, zone: TimeZone): boolean {
  const from = typeof starts_at === 'string' ? Date.parse(starts_at) : Number.NaN;
  // A shift that ends at midnight is none of the next day's.
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
