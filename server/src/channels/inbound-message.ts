import { createHash } from 'node:crypto';
import type { NewChannelMessage } from '../conversations/received-messages.db.ts';
import type { JsonObject } from '../platform/json/json-object.ts';
import { storableJson, storableText } from '../platform/json/storable-json.ts';
import type { Trace } from '../platform/tracing.ts';
import {
  type ChangedAddress,
  kindOf,
  readChangedAddress,
  readContent,
  readRevoked,
} from './inbound-content.ts';
import { type OptOutCommand, optOutCommandIn } from './opt-outs.ts';
import { at, idOf, objects, parseObject, small } from './payload-json.ts';

export interface InboundMessage
  extends Pick<
    NewChannelMessage,
    | 'message_id'
    | 'external_id'
    | 'phone'
    | 'display_name'
    | 'kind'
    | 'sent_at'
    | 'direction'
    | 'author'
    | 'status'
    | 'reason'
    | 'conversation_kind'
  > {
  phone_number_id: string;
  /** For the control plane itself, which acts on it once. */
  effect: Effect;
  /** Built lazily, after the signature was verified: contents can be many times larger than the payload. */
  contents: (trace?: Trace) => MessageContents;
}

export interface Effect {
  changed_address?: ChangedAddress | undefined;
  opt_out_command?: OptOutCommand | undefined;
  /** The channel's id of a message that its writer has deleted. */
  revoked_message_id?: string | undefined;
  /** A colleague has written on the phone. */
  is_echo?: true;
}

interface MessageContents {
  /** MessageContent as JSON. Its `raw` is {metadata, contacts: […], message}. */
  json: string;
  /** The channel sends at most one medium per message. */
  media_id: string | null;
}

const OF_SENDER = {
  direction: 'in',
  author: 'sender',
  status: 'pending',
  reason: null,
  conversation_kind: 'direct',
} as const;
const OF_GROUP = {
  ...OF_SENDER,
  status: 'handled',
  reason: 'Not forwarded: it was said in a group',
  conversation_kind: 'group',
} as const;
const OF_COLLEAGUE = { ...OF_SENDER, direction: 'out', author: 'person', status: 'sent' } as const;
/** Nothing that the sender wrote to the agent. */
const NOTICE = { ...OF_SENDER, author: 'system', status: 'handled' } as const;

const MAX_NAME_LENGTH = 200;
/** Below milliseconds, and within the range of dates. */
const MAX_SECONDS = 1e11;
/** Kinds whose text is written or chosen by the sender. */
const COMMAND_KINDS: ReadonlySet<string> = new Set(['text', 'button', 'button_reply', 'list_reply']);
const OPT_OUT_VALUES = new Map<unknown, OptOutCommand>([
  ['stop', 'stop'],
  ['resume', 'start'],
]);

/** The value of a change, as far as its messages share it. */
export interface MessageContext {
  phone_number_id: string;
  /** JSON. */
  metadata: string;
  /** A person's contact, as JSON. */
  contactOf: (...ids: (string | undefined)[]) => string | undefined;
}

/** undefined when it has no id or names nobody. */
export type ReadMessage = (context: MessageContext, message: unknown) => InboundMessage | undefined;

export function contextOf(phone_number_id: string, value: JsonObject, maxLength: number): MessageContext {
  const metadata = small(value.metadata, maxLength) ?? JSON.stringify({ phone_number_id });
  return { phone_number_id, metadata, contactOf: contactsBySender(value.contacts, maxLength) };
}

export const readMessage: ReadMessage = (context, message) => {
  const user_id = idOf(at(message, 'from_user_id'));
  const phone = idOf(at(message, 'from'));
  const group_id = idOf(at(message, 'group_id'));
  const contact = context.contactOf(user_id, phone);
  const revoked_message_id = readRevoked(message);
  if (group_id !== undefined) {
    const said_by = nameOf(contact) ?? phone ?? user_id;
    const content = () => ({ ...readContent(message), ...(said_by !== undefined && { said_by }) });
    const to = { external_id: group_id, phone: null, display_name: null };
    return whole(context, message, { ...OF_GROUP, ...to, effect: { revoked_message_id } }, content);
  }
  const isCommand = COMMAND_KINDS.has(kindOf(message));
  const effect = {
    changed_address: readChangedAddress(message),
    opt_out_command: isCommand ? optOutCommandIn(readContent(message).text) : undefined,
    revoked_message_id,
  };
  const told = { ...OF_SENDER, ...addressed(contact, user_id, phone), effect };
  return whole(context, message, told, () => readContent(message), contact);
};

/** Words that a colleague has typed on the phone of the number. */
export const readEcho: ReadMessage = (context, echo) => {
  const to = idOf(at(echo, 'to'));
  const group_id = idOf(at(echo, 'group_id')) ?? (at(echo, 'recipient_type') === 'group' ? to : undefined);
  const user_id = idOf(at(echo, 'to_user_id'));
  const phone = to?.replace(/^\+(?=\d+$)/, '');
  const place =
    group_id === undefined
      ? addressed(context.contactOf(user_id, phone), user_id, phone)
      : { external_id: group_id, phone: null, display_name: null, conversation_kind: 'group' as const };
  const effect = { is_echo: true as const, revoked_message_id: readRevoked(echo) };
  return whole(context, echo, { ...OF_COLLEAGUE, ...place, effect }, () => {
    const content = readContent(echo);
    return { ...content, text: content.text ?? textOf(at(echo, 'interactive', 'body', 'text')) };
  });
};

/** A person's choice in the channel's own settings: no marketing, or again. */
export const readPreference: ReadMessage = (context, preference) => {
  const user_id = idOf(at(preference, 'user_id'));
  const phone = idOf(at(preference, 'wa_id'));
  const text = textOf(at(preference, 'detail')) ?? textOf(at(preference, 'value'));
  const effect = { opt_out_command: OPT_OUT_VALUES.get(at(preference, 'value')) };
  const message = withId('user_preferences', preference, { timestamp: at(preference, 'timestamp') });
  const place = addressed(context.contactOf(user_id, phone), user_id, phone);
  return whole(context, message, { ...NOTICE, ...place, effect }, () => ({ text }));
};

/** A new user id; told in a field of its own, and as the system message that it is read as. */
export const readUserIdUpdate: ReadMessage = (context, update) => {
  const [previous, current] = [at(update, 'user_id', 'previous'), at(update, 'user_id', 'current')];
  const system = {
    type: 'user_changed_user_id',
    body: at(update, 'detail'),
    user_id: current,
    previous_user_id: previous,
  };
  const from = { from_user_id: previous, timestamp: at(update, 'timestamp') };
  return readMessage(context, withId('system', update, { ...from, system }));
};

/** A status of the type `payment`: the person has paid, or not. */
export const readPayment: ReadMessage = (context, status) => {
  const { payment, ...rest } = { payment: at(status, 'payment'), timestamp: at(status, 'timestamp') };
  const told = { ...(typeof payment === 'object' && payment), status: at(status, 'status') };
  const from = { from: at(status, 'recipient_id'), from_user_id: at(status, 'recipient_user_id') };
  return readMessage(context, withId('payment', status, { ...from, ...rest, payment: told }));
};

/** The channel gives no id to what is no message; the same item again has the same one. */
const withId = (type: string, item: unknown, message: JsonObject): JsonObject => ({
  ...message,
  type,
  id: `${type}:${createHash('sha256').update(JSON.stringify(item)).digest('hex')}`,
});

const addressed = (contact: string | undefined, user_id: string | undefined, phone: string | undefined) => ({
  external_id: user_id ?? phone,
  phone: phone ?? null,
  display_name: nameOf(contact),
});

type Told = Omit<
  InboundMessage,
  'phone_number_id' | 'message_id' | 'external_id' | 'kind' | 'sent_at' | 'contents'
> & {
  external_id: string | undefined;
};

/** `raw` goes to the runtime alone. */
function whole(
  context: MessageContext,
  message: unknown,
  { external_id, ...told }: Told,
  content: () => object & { media?: { id: string }[] },
  contact?: string,
): InboundMessage | undefined {
  const message_id = idOf(at(message, 'id'));
  if (message_id === undefined || external_id === undefined) return undefined;
  return {
    ...told,
    phone_number_id: context.phone_number_id,
    message_id,
    external_id,
    kind: storableText(kindOf(message)),
    sent_at: timeOf(at(message, 'timestamp')),
    contents: (trace) => {
      const read = content();
      const parts = Object.entries(read).map(([name, part]) => `"${name}":${storableJson(part)}`);
      if (told.status === 'pending') {
        if (trace) parts.push(`"trace":${JSON.stringify(trace)}`);
        const raw = `"metadata":${context.metadata},"contacts":[${contact ?? ''}],"message":${storableJson(message)}`;
        parts.push(`"raw":{${raw}}`);
      }
      return { json: `{${parts.join(',')}}`, media_id: read.media?.[0]?.id ?? null };
    },
  };
}

/** Unix seconds, mostly as text. Later times, such as milliseconds, are bounded where the message is stored. */
function timeOf(value: unknown): Date | null {
  const seconds = typeof value === 'number' || /^\d{1,12}$/.test(String(value)) ? Number(value) : Number.NaN;
  return seconds >= 0 && seconds < MAX_SECONDS ? new Date(seconds * 1000) : null;
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
  return typeof name === 'string' ? textOf(name.slice(0, MAX_NAME_LENGTH)) : null;
}

const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? storableText(value) : null;
