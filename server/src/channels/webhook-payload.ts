import { isJsonObject, type JsonObject } from '../platform/json/json-object.ts';
import { type DeliveryReceipt, receiptOf } from './delivery-receipts.ts';
import { contextOf, type InboundMessage, readMessage } from './inbound-message.ts';
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

/**
 * Reads a payload of the WhatsApp Cloud API: `{entry: [{changes: [{field, value: {metadata, contacts, messages, statuses}}]}]}`.
 * Never throws: unknown shapes are skipped. @returns undefined unless it is a JSON object
 */
export function readPayload(bytes: Buffer): WebhookPayload | undefined {
  const root = parseObject(bytes);
  if (!root) return undefined;
  const entries = objects(root.entry);
  const changes = entries.flatMap((entry) => objects(entry.changes)).map(changeOf);
  const count = changes.reduce((sum, { value }) => sum + list(value.messages).length, 0);
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
  for (const { value } of changes) readValue(payload, value, maxContext);
  payload.phone_number_ids = [...new Set(payload.phone_number_ids)];
  return payload;
}

const changeOf = ({ field, value }: JsonObject): Change => ({
  field: typeof field === 'string' && FIELD.test(field) ? field : OTHER_FIELD,
  value: isJsonObject(value) ? value : {},
});

function readValue(payload: WebhookPayload, value: JsonObject, maxContext: number): void {
  const messages = list(value.messages);
  payload.statuses += list(value.statuses).length;
  const phone_number_id = idOf(at(value, 'metadata', 'phone_number_id'));
  if (phone_number_id === undefined) {
    payload.unusable += messages.length;
    return;
  }
  payload.phone_number_ids.push(phone_number_id);
  const context = contextOf(phone_number_id, value, maxContext);
  const read = messages
    .map((message) => readMessage(context, message))
    .filter((found) => found !== undefined);
  payload.unusable += messages.length - read.length;
  for (const message of read) payload.messages.push(message);
  for (const status of objects(value.statuses)) payload.receipts.push(...receiptOf(phone_number_id, status));
}
