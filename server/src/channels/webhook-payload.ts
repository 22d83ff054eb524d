import { isUtf8 } from 'node:buffer';
import type { ResolvedReceipt } from '../conversations/sent-messages.db.ts';
import { isJsonObject, type JsonObject } from '../platform/json/json-object.ts';
import { storableJson, storableText } from '../platform/json/storable-json.ts';
import type { Trace } from '../platform/tracing.ts';
import { type ChangedAddress, kindOf, readChangedAddress, readContent } from './inbound-content.ts';
import { type OptOutCommand, optOutCommandIn } from './opt-outs.ts';

export interface InboundMessage {
  phone_number_id: string;
  message_id: string;
  external_id: string;
  /** Phone number and name are null when the channel does not send them. */
  phone: string | null;
  display_name: string | null;
  kind: string;
  changed_address: ChangedAddress | undefined;
  opt_out_command: OptOutCommand | undefined;
  /** Built lazily, after the signature was verified: contents can be many times larger than the payload. */
  contents: (trace?: Trace) => MessageContents;
}

/** The channel's status of a message that we sent. */
export interface DeliveryReceipt {
  phone_number_id: string;
  /** Our id of the message, which the channel returns; null when it does not. */
  id: string | null;
  /** The address that it was sent to. */
  recipient: string | null;
  /** The channel's id of the message or part. */
  channel_id: string;
  status: ResolvedReceipt['status'];
  error: string | null;
}

interface MessageContents {
  /** MessageContent as JSON. Its `raw` is {metadata, contacts: […], message}. */
  json: string;
  /** The channel sends at most one medium per message. */
  media_id: string | null;
}

export interface WebhookPayload {
  /** Without duplicates. */
  phone_number_ids: string[];
  /** Business accounts of the entries, without duplicates. */
  account_ids: string[];
  /** In the order of the payload. */
  messages: InboundMessage[];
  /** Number of status updates, also of unusable ones. */
  statuses: number;
  receipts: DeliveryReceipt[];
  /** Number of messages without an id or sender. */
  unusable: number;
}

/** Longer than the channel's ids, and short enough for an index. */
const MAX_ID_LENGTH = 256;
/** The channel sends one; each costs a lookup. */
const MAX_ACCOUNTS = 20;
const MAX_NAME_LENGTH = 200;
const MAX_ERROR_LENGTH = 300;
const RECEIPT_STATUSES = ['sent', 'delivered', 'read', 'failed'] as const;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Kinds whose text is written or chosen by the sender. */
const COMMAND_KINDS: ReadonlySet<string> = new Set(['text', 'button', 'button_reply', 'list_reply']);
/** `metadata` and contact are stored with each message of a change: 1 MiB must not become 100 MiB. */
const MAX_CONTEXT_LENGTH = 2000;
const MAX_CONTEXT_TOTAL = 8 * 1024 * 1024;

/**
 * Reads a payload of the WhatsApp Cloud API: `{entry: [{changes: [{value: {metadata, contacts, messages, statuses}}]}]}`.
 * Never throws: unknown shapes are skipped. @returns undefined unless it is a JSON object
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
    receipts: [],
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
      payload.receipts.push(
        ...objects(value.statuses).flatMap((status) => receiptOf(phone_number_id, status)),
      );
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
    const kind = kindOf(message);
    const contact = contactsOf(user_id, phone);
    const contents = (trace?: Trace) => {
      const raw = `{"metadata":${metadata},"contacts":[${contact ?? ''}],"message":${storableJson(message)}}`;
      const content = readContent(message);
      const parts = Object.entries(content).map(([name, part]) => `"${name}":${storableJson(part)},`);
      const begun = trace ? `"trace":${JSON.stringify(trace)},` : '';
      return { json: `{${parts.join('')}${begun}"raw":${raw}}`, media_id: content.media?.[0]?.id ?? null };
    };
    payload.messages.push({
      phone_number_id,
      message_id,
      external_id,
      phone: phone ?? null,
      display_name: nameOf(contact),
      kind: storableText(kind),
      changed_address: readChangedAddress(message),
      opt_out_command: COMMAND_KINDS.has(kind) ? optOutCommandIn(readContent(message).text) : undefined,
      contents,
    });
  }
}

function receiptOf(
  phone_number_id: string,
  { id: channel_id, status, biz_opaque_callback_data: own_id, recipient_id, errors }: JsonObject,
): DeliveryReceipt[] {
  const known = RECEIPT_STATUSES.find((name) => name === status);
  if (!known) return [];
  const id = typeof own_id === 'string' && UUID.test(own_id) ? own_id : null;
  const reasons = objects(errors).map((error) =>
    [error.code, error.title ?? error.message, at(error, 'error_data', 'details')].filter(Boolean).join(' '),
  );
  const error = reasons.length > 0 ? storableText(reasons.join('; ').slice(0, MAX_ERROR_LENGTH)) : null;
  return [
    {
      phone_number_id,
      id,
      recipient: idOf(recipient_id) ?? null,
      channel_id: idOf(channel_id) ?? '',
      status: known,
      error: known === 'failed' ? (error ?? 'The channel failed it') : null,
    },
  ];
}

/** Finds a sender's contact, as JSON: the first with its user id or phone number, else the only contact. */
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

function nameOf(contact: string | undefined): string | null {
  const name = contact === undefined ? undefined : at(parseObject(Buffer.from(contact)), 'profile', 'name');
  return typeof name === 'string' && name !== '' ? storableText(name.slice(0, MAX_NAME_LENGTH)) : null;
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

/** @returns JSON; undefined when it is too long */
function small(value: unknown, maxLength: number): string | undefined {
  const kept = storableJson(value);
  return kept.length <= maxLength ? kept : undefined;
}
