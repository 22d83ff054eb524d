import { isUtf8 } from 'node:buffer';
import { isJsonObject, type JsonObject } from './composition/json-object.ts';
import { storable, storableText } from './storable-json.ts';

/** A message of a webhook payload, as it is stored. */
export interface InboundMessage {
  phone_number_id: string;
  message_id: string;
  external_id: string;
  text: string | null;
  /** The parts of the payload that are about this message. */
  raw: { metadata: unknown; contacts: unknown[]; message: unknown };
}

export interface WebhookPayload {
  /** The numbers that it names, each once. */
  phone_number_ids: string[];
  /** In the order of the payload. */
  messages: InboundMessage[];
  /** How many updates of the status of messages sent. */
  statuses: number;
  /** How many messages without an id or a sender. */
  unusable: number;
}

/** Far longer than the channel's ids, and short enough for an index. */
const MAX_ID_LENGTH = 256;
/** What stands once in a change is kept with each of its messages: 1 MiB must not become a hundred. */
const MAX_CONTEXT_LENGTH = 2000;
const MAX_CONTEXT_TOTAL = 8 * 1024 * 1024;

/**
 * Reads a payload of the WhatsApp Cloud API: `{entry: [{changes: [{value: {metadata, contacts, messages, statuses}}]}]}`.
 * It never throws: what is shaped otherwise is passed over. @returns undefined when it is no JSON object
 */
export function readPayload(bytes: Buffer): WebhookPayload | undefined {
  const root = parseObject(bytes);
  if (!root) return undefined;
  const values = objects(root.entry)
    .flatMap((entry) => objects(entry.changes))
    .map((change) => (isJsonObject(change.value) ? change.value : {}));
  const count = values.reduce((sum, value) => sum + list(value.messages).length, 0);
  const maxContext = Math.min(MAX_CONTEXT_LENGTH, Math.floor(MAX_CONTEXT_TOTAL / Math.max(count, 1)));
  const payload: WebhookPayload = { phone_number_ids: [], messages: [], statuses: 0, unusable: 0 };
  const numbers = new Set<string>();
  for (const value of values) {
    payload.statuses += list(value.statuses).length;
    const phone_number_id = idOf(at(value, 'metadata', 'phone_number_id'));
    if (phone_number_id === undefined) {
      payload.unusable += list(value.messages).length;
    } else {
      numbers.add(phone_number_id);
      readMessages(payload, phone_number_id, value, maxContext);
    }
  }
  payload.phone_number_ids = [...numbers];
  return payload;
}

function readMessages(
  payload: WebhookPayload,
  phone_number_id: string,
  value: JsonObject,
  maxContext: number,
): void {
  const metadata = small(value.metadata, maxContext) ?? { phone_number_id };
  const contactsOf = contactsBySender(value.contacts, maxContext);
  for (const message of list(value.messages)) {
    const message_id = idOf(at(message, 'id'));
    const user_id = idOf(at(message, 'from_user_id'));
    const phone = idOf(at(message, 'from'));
    const external_id = user_id ?? phone;
    if (message_id === undefined || external_id === undefined) {
      payload.unusable += 1;
      continue;
    }
    const raw = {
      metadata,
      contacts: contactsOf(user_id, phone),
      message: storable(message),
    };
    payload.messages.push({ phone_number_id, message_id, external_id, text: textOf(message), raw });
  }
}

/** Finds the contact of a sender: the first with its user id or phone number, else the only one that there is. */
function contactsBySender(
  contacts: unknown,
  maxContext: number,
): (...ids: (string | undefined)[]) => unknown[] {
  const byId = new Map<unknown, unknown[]>();
  const all = objects(contacts);
  for (const contact of all) {
    const kept = small(contact, maxContext);
    for (const id of [contact.user_id, contact.wa_id]) {
      if (!byId.has(id)) byId.set(id, kept === undefined ? [] : [kept]);
    }
  }
  const only = all.length === 1 ? small(all[0], maxContext) : undefined;
  const otherwise = only === undefined ? [] : [only];
  return (...ids) => {
    const known = ids.find((id) => id !== undefined && byId.has(id));
    return (known !== undefined && byId.get(known)) || otherwise;
  };
}

function textOf(message: unknown): string | null {
  const texts = [
    at(message, 'text', 'body'),
    at(message, 'button', 'text'),
    at(message, 'interactive', 'button_reply', 'title'),
    at(message, 'interactive', 'list_reply', 'title'),
  ];
  const text = texts.find((candidate) => typeof candidate === 'string');
  return text === undefined ? null : storableText(text);
}

function parseObject(bytes: Buffer): JsonObject | undefined {
  if (!isUtf8(bytes)) return undefined;
  try {
    const root: unknown = JSON.parse(bytes.toString());
    return isJsonObject(root) ? root : undefined;
  } catch {
    return undefined;
  }
}

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const objects = (value: unknown): JsonObject[] => list(value).filter(isJsonObject);

function at(value: unknown, ...path: string[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (isJsonObject(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined),
    value,
  );
}

function idOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || value === '' || value.length > MAX_ID_LENGTH) return undefined;
  return storableText(value);
}

function small(value: unknown, maxLength: number): unknown {
  const kept = storable(value);
  return JSON.stringify(kept).length <= maxLength ? kept : undefined;
}
