import { isUtf8 } from 'node:buffer';
import { isJsonObject, type JsonObject } from '../platform/json/json-object.ts';
import { storableJson, storableText } from '../platform/json/storable-json.ts';

/** A message of a webhook payload. */
export interface InboundMessage {
  phone_number_id: string;
  message_id: string;
  external_id: string;
  /** Made when they are stored: together they may be many times the payload, and anybody sends one that nobody signed. */
  contents: () => MessageContents;
}

/** As they are stored. */
export interface MessageContents {
  /** Where in `raw` its text stands. */
  text_path: readonly string[] | null;
  /** The parts of the payload that are about this message, as JSON: {metadata, contacts: […], message}. */
  raw: string;
}

export interface WebhookPayload {
  /** The numbers that it names, each once. */
  phone_number_ids: string[];
  /** The business accounts of its entries, each once. */
  account_ids: string[];
  /** In the order of the payload. */
  messages: InboundMessage[];
  /** How many updates of the status of messages sent. */
  statuses: number;
  /** How many messages without an id or a sender. */
  unusable: number;
}

/** Where a message may have text; the first that is one counts. */
const TEXT_PATHS = [
  ['text', 'body'],
  ['button', 'text'],
  ['interactive', 'button_reply', 'title'],
  ['interactive', 'list_reply', 'title'],
  ['image', 'caption'],
  ['video', 'caption'],
  ['document', 'caption'],
];
/** Far longer than the channel's ids, and short enough for an index. */
const MAX_ID_LENGTH = 256;
/** The channel sends one; each is looked for. */
const MAX_ACCOUNTS = 20;
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
  const entries = objects(root.entry);
  const values = entries
    .flatMap((entry) => objects(entry.changes))
    .map((change) => (isJsonObject(change.value) ? change.value : {}));
  const count = values.reduce((sum, value) => sum + list(value.messages).length, 0);
  const maxContext = Math.min(MAX_CONTEXT_LENGTH, Math.floor(MAX_CONTEXT_TOTAL / Math.max(count, 1)));
  const accounts = entries.map(({ id }) => idOf(id)).filter((id) => id !== undefined);
  const account_ids = [...new Set(accounts)].slice(0, MAX_ACCOUNTS);
  const payload: WebhookPayload = {
    phone_number_ids: [],
    account_ids,
    messages: [],
    statuses: 0,
    unusable: 0,
  };
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
  const metadata = small(value.metadata, maxContext) ?? JSON.stringify({ phone_number_id });
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
    const contents = () => {
      const contact = contactsOf(user_id, phone) ?? '';
      const raw = `{"metadata":${metadata},"contacts":[${contact}],"message":${storableJson(message)}}`;
      return { text_path: textPathOf(message), raw };
    };
    payload.messages.push({ phone_number_id, message_id, external_id, contents });
  }
}

/** Finds the contact of a sender, as JSON: the first with its user id or phone number, else the only one that there is. */
function contactsBySender(
  contacts: unknown,
  maxContext: number,
): (...ids: (string | undefined)[]) => string | undefined {
  const byId = new Map<unknown, string | undefined>();
  const all = objects(contacts);
  let only: string | undefined;
  for (const contact of all) {
    const kept = small(contact, maxContext);
    for (const id of [contact.user_id, contact.wa_id]) if (!byId.has(id)) byId.set(id, kept);
    only = all.length === 1 ? kept : undefined;
  }
  return (...ids) => {
    const known = ids.find((id) => id !== undefined && byId.has(id));
    return known === undefined ? only : byId.get(known);
  };
}

function textPathOf(message: unknown): readonly string[] | null {
  const path = TEXT_PATHS.find((candidate) => typeof at(message, ...candidate) === 'string');
  return path === undefined ? null : ['message', ...path];
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

/** As JSON; undefined when it is too long. */
function small(value: unknown, maxLength: number): string | undefined {
  const kept = storableJson(value);
  return kept.length <= maxLength ? kept : undefined;
}
