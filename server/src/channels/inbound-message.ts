import type { JsonObject } from '../platform/json/json-object.ts';
import { storableJson, storableText } from '../platform/json/storable-json.ts';
import type { Trace } from '../platform/tracing.ts';
import { type ChangedAddress, kindOf, readChangedAddress, readContent } from './inbound-content.ts';
import { type OptOutCommand, optOutCommandIn } from './opt-outs.ts';
import { at, idOf, objects, parseObject, small } from './payload-json.ts';

export interface InboundMessage {
  phone_number_id: string;
  message_id: string;
  external_id: string;
  /** Phone number and name are null when the channel does not send them. */
  phone: string | null;
  display_name: string | null;
  kind: string;
  /** null when the channel does not tell. */
  sent_at: Date | null;
  changed_address: ChangedAddress | undefined;
  opt_out_command: OptOutCommand | undefined;
  /** Built lazily, after the signature was verified: contents can be many times larger than the payload. */
  contents: (trace?: Trace) => MessageContents;
}

interface MessageContents {
  /** MessageContent as JSON. Its `raw` is {metadata, contacts: […], message}. */
  json: string;
  /** The channel sends at most one medium per message. */
  media_id: string | null;
}

const MAX_NAME_LENGTH = 200;
/** Below milliseconds, and within the range of dates. */
const MAX_SECONDS = 1e11;
/** Kinds whose text is written or chosen by the sender. */
const COMMAND_KINDS: ReadonlySet<string> = new Set(['text', 'button', 'button_reply', 'list_reply']);

/** The value of a change, as far as its messages share it. */
export interface MessageContext {
  phone_number_id: string;
  /** JSON. */
  metadata: string;
  /** A person's contact, as JSON. */
  contactOf: (...ids: (string | undefined)[]) => string | undefined;
}

export function contextOf(phone_number_id: string, value: JsonObject, maxLength: number): MessageContext {
  const metadata = small(value.metadata, maxLength) ?? JSON.stringify({ phone_number_id });
  return { phone_number_id, metadata, contactOf: contactsBySender(value.contacts, maxLength) };
}

/** undefined without an id or a sender. */
export function readMessage(context: MessageContext, message: unknown): InboundMessage | undefined {
  const message_id = idOf(at(message, 'id'));
  const user_id = idOf(at(message, 'from_user_id'));
  const phone = idOf(at(message, 'from'));
  const external_id = user_id ?? phone;
  if (message_id === undefined || external_id === undefined) return undefined;
  const kind = kindOf(message);
  const contact = context.contactOf(user_id, phone);
  return {
    phone_number_id: context.phone_number_id,
    message_id,
    external_id,
    phone: phone ?? null,
    display_name: nameOf(contact),
    kind: storableText(kind),
    sent_at: timeOf(at(message, 'timestamp')),
    changed_address: readChangedAddress(message),
    opt_out_command: COMMAND_KINDS.has(kind) ? optOutCommandIn(readContent(message).text) : undefined,
    contents: (trace) => contentsOf(context, contact, message, trace),
  };
}

/** Unix seconds, mostly as text. Later times, such as milliseconds, are bounded where the message is stored. */
function timeOf(value: unknown): Date | null {
  const seconds = typeof value === 'number' || /^\d{1,12}$/.test(String(value)) ? Number(value) : Number.NaN;
  return seconds >= 0 && seconds < MAX_SECONDS ? new Date(seconds * 1000) : null;
}

function contentsOf(
  { metadata }: MessageContext,
  contact: string | undefined,
  message: unknown,
  trace: Trace | undefined,
): MessageContents {
  const raw = `{"metadata":${metadata},"contacts":[${contact ?? ''}],"message":${storableJson(message)}}`;
  const content = readContent(message);
  const parts = Object.entries(content).map(([name, part]) => `"${name}":${storableJson(part)},`);
  const begun = trace ? `"trace":${JSON.stringify(trace)},` : '';
  return { json: `{${parts.join('')}${begun}"raw":${raw}}`, media_id: content.media?.[0]?.id ?? null };
}

/** Finds a sender's contact, as JSON: the first with its user id or phone number, else the only contact. */
function contactsBySender(contacts: unknown, maxContext: number): MessageContext['contactOf'] {
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
