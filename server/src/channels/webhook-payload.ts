import { isJsonObject, type JsonObject } from '../platform/json/json-object.ts';
import { type DeliveryReceipt, receiptOf } from './delivery-receipts.ts';
import {
  contextOf,
  type InboundMessage,
  type ReadMessage,
  readEcho,
  readMessage,
  readPayment,
  readPreference,
  readUserIdUpdate,
} from './inbound-message.ts';
import { at, idOf, list, objects, parseObject } from './payload-json.ts';

export interface WebhookPayload {
  /** Without duplicates. */
  phone_number_ids: string[];
  /** Business accounts of the entries, without duplicates. */
  account_ids: string[];
  /** Names of the changes, also of those that nothing is read from. */
  fields: string[];
  /** In the order of the payload. */
  messages: InboundMessage[];
  /** Number of status updates, also of unusable ones. */
  statuses: number;
  receipts: DeliveryReceipt[];
  /** Number of messages without an id or sender. */
  unusable: number;
}

interface Change {
  field: string;
  value: JsonObject;
}

/** The channel sends one; each costs a lookup. */
const MAX_ACCOUNTS = 20;
/** `metadata` and contact are stored with each message of a change: 1 MiB must not become 100 MiB. */
const MAX_CONTEXT_LENGTH = 2000;
const MAX_CONTEXT_TOTAL = 8 * 1024 * 1024;
const FIELD = /^[a-z_]{1,64}$/;
export const OTHER_FIELD = 'other';
/** Messages of the time before the number was connected, some with the same lists. */
const HISTORY = 'history';
const STANDBY = 'standby';
const OF_OTHERS = {
  status: 'handled',
  reason: 'Not forwarded: another application has the conversation',
  effect: {},
} as const;

/**
 * Reads a payload of the WhatsApp Cloud API: `{entry: [{changes: [{field, value: {metadata, contacts, messages, statuses, …}}]}]}`.
 * Never throws: unknown shapes are skipped. @returns undefined unless it is a JSON object
 */
export function readPayload(bytes: Buffer): WebhookPayload | undefined {
  const root = parseObject(bytes);
  if (!root) return undefined;
  const entries = objects(root.entry);
  const changes = entries.flatMap((entry) => objects(entry.changes)).map(changeOf);
  const lists = changes.flatMap(({ value }) => Object.keys(READERS).map((name) => list(value[name])));
  const count = lists.reduce((sum, { length }) => sum + length, 0);
  const maxContext = Math.min(MAX_CONTEXT_LENGTH, Math.floor(MAX_CONTEXT_TOTAL / Math.max(count, 1)));
  const accounts = entries.map(({ id }) => idOf(id)).filter((id) => id !== undefined);
  const payload: WebhookPayload = {
    phone_number_ids: [],
    account_ids: [...new Set(accounts)].slice(0, MAX_ACCOUNTS),
    fields: changes.map(({ field }) => field),
    messages: [],
    statuses: 0,
    receipts: [],
    unusable: 0,
  };
  for (const change of changes) readValue(payload, change, maxContext);
  payload.phone_number_ids = [...new Set(payload.phone_number_ids)];
  return payload;
}

const changeOf = ({ field, value }: JsonObject): Change => ({
  field: typeof field === 'string' && FIELD.test(field) ? field : OTHER_FIELD,
  value: isJsonObject(value) ? value : {},
});

/** Lists of a value that say something, each with the reader of its items. */
const READERS: Readonly<Record<string, ReadMessage>> = {
  messages: readMessage,
  message_echoes: readEcho,
  user_preferences: readPreference,
  user_id_update: readUserIdUpdate,
};

function readValue(payload: WebhookPayload, { field, value }: Change, maxContext: number): void {
  if (field === HISTORY) return;
  const statuses = objects(value.statuses);
  payload.statuses += list(value.statuses).length;
  if (objects(value.errors).length > 0) payload.fields.push('errors');
  const told: [ReadMessage, unknown][] = Object.entries(READERS).flatMap(([name, read]) =>
    list(value[name]).map((item): [ReadMessage, unknown] => [read, item]),
  );
  const phone_number_id = idOf(at(value, 'metadata', 'phone_number_id'));
  if (phone_number_id === undefined) {
    payload.unusable += told.length;
    return;
  }
  payload.phone_number_ids.push(phone_number_id);
  const context = contextOf(phone_number_id, value, maxContext);
  for (const status of statuses) {
    if (status.type === 'payment') told.push([readPayment, status]);
    else payload.receipts.push(...receiptOf(phone_number_id, status));
  }
  for (const [read, item] of told) {
    const message = read(context, item);
    if (!message) payload.unusable += 1;
    else payload.messages.push(field === STANDBY ? { ...message, ...OF_OTHERS } : message);
  }
}
