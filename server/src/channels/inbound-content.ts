import type { MessageContent } from '../conversations/message-content.ts';
import type { Media } from '../conversations/messages.contract.ts';
import { isJsonObject, type JsonObject, ownMember } from '../platform/json/json-object.ts';
import { storableJson, storableText } from '../platform/json/storable-json.ts';
import { reasonIn } from './delivery-receipts.ts';
import { type MessageBackground, readBackground } from './message-background.ts';
import { objects } from './payload-json.ts';

type InboundContent = Pick<
  MessageContent,
  'media' | 'reply_id' | 'edited_message_id' | 'revoked_message_id' | 'reaction' | 'error'
> &
  MessageBackground & {
    /** null when the kind has no text. */
    text: string | null;
  };

type Reader = (part: JsonObject) => Partial<InboundContent>;

/**
 * Readers for the message types that have text or media; a message has its part under the type's name. All other types, also
 * future ones, have no text.
 */
const SPEECH: Readonly<Record<string, Reader>> = {
  text: ({ body }) => ({ text: textOf(body) }),
  button: ({ text, payload }) => ({ text: textOf(text), ...replyId(payload) }),
  interactive: (part) => readInteractive(part),
  image: (part) => ({ text: textOf(part.caption), media: mediaOf(part) }),
  video: (part) => ({ text: textOf(part.caption), media: mediaOf(part) }),
  document: (part) => ({ text: textOf(part.caption), media: mediaOf(part) }),
  audio: (part) => ({ media: mediaOf(part) }),
  voice: (part) => ({ media: mediaOf(part) }),
  sticker: (part) => ({ media: mediaOf(part) }),
  location: (part) => ({ text: lines(part.name, part.address, pointOf(part)) }),
  order: (part) => ({ text: lines(part.text, ...objects(part.product_items).map(itemOf)) }),
  payment: (part) => ({ text: paymentOf(part) }),
  reaction: ({ emoji }) => ({ reaction: { emoji: textOf(emoji)?.slice(0, MAX_EMOJI_LENGTH) || null } }),
  revoke: ({ original_message_id }) => {
    const revoked_message_id = idText(original_message_id);
    return revoked_message_id === undefined ? {} : { revoked_message_id };
  },
};

/** Parts of `interactive` messages; their names are kinds. */
const REPLIES: Readonly<Record<string, Reader>> = {
  button_reply: ({ id, title }) => ({ text: textOf(title), ...replyId(id) }),
  list_reply: ({ id, title }) => ({ text: textOf(title), ...replyId(id) }),
  nfm_reply: (part) => ({ text: formOf(part) }),
};

const MAX_ID_LENGTH = 256;
/** Emojis are sequences of code points. */
const MAX_EMOJI_LENGTH = 32;
/** A media id becomes a path segment of the channel's API, so it must not contain a slash or dots. */
const MEDIA_ID = /^[\w-]{1,256}$/;
/** File names are chosen by the sender. */
const MAX_FILENAME_LENGTH = 255;
const MIME_TYPE = /^[\w.+-]{1,100}\/[\w.+-]{1,100}(?:; ?[\w-]{1,50}=[\w.+-]{1,100})*$/;

/** The type of a WhatsApp Cloud API message; for `interactive`, the type of the reply, since some have no text. */
export function kindOf(message: unknown): string {
  const type = typeOf(message);
  if (type !== 'interactive') return type ?? 'unknown';
  const part = partOf(message, type);
  const named = idText(ownMember(part, 'type'));
  return named ?? Object.keys(REPLIES).find((reply) => isJsonObject(ownMember(part, reply))) ?? type;
}

/** Never throws: unknown shapes have no text. */
export function readContent(message: unknown): InboundContent {
  const background = readBackground(message);
  const type = typeOf(message);
  if (type !== 'edit') return { text: null, ...readSpeech(message), ...background };
  const edit = partOf(message, type);
  const edited_message_id = idText(edit.original_message_id);
  return {
    text: null,
    ...readSpeech(edit.message),
    ...background,
    ...(edited_message_id !== undefined && { edited_message_id }),
  };
}

/** The channel's id of a message that its writer has deleted. */
export function readRevoked(message: unknown): string | undefined {
  return typeOf(message) === 'revoke' ? idText(partOf(message, 'revoke').original_message_id) : undefined;
}

/** False for audio files such as music. */
export function isVoiceNote(message: unknown): boolean {
  const type = typeOf(message);
  return type === 'voice' || (type === 'audio' && ownMember(partOf(message, type), 'voice') === true);
}

/** A sender has a new number or user id. */
export interface ChangedAddress {
  /** The former number and user id, as far as the message has them. */
  from: string[];
  new_phone: string | null;
  new_user_id: string | null;
}

/** `customer_changed_number` is the earlier name of `user_changed_number`. */
const CHANGES = ['user_changed_number', 'customer_changed_number', 'user_changed_user_id'];

/** undefined unless the message has a sender's new address. */
export function readChangedAddress(message: unknown): ChangedAddress | undefined {
  if (!isJsonObject(message) || message.type !== 'system') return undefined;
  const system = partOf(message, 'system');
  if (!CHANGES.includes(String(system.type))) return undefined;
  const new_phone = addressOf(system.wa_id) ?? addressOf(system.new_wa_id) ?? null;
  const new_user_id = addressOf(system.user_id) ?? null;
  const former = [message.from, system.previous_user_id, message.from_user_id].map(addressOf);
  const from = former.filter(
    (address) => address !== undefined && address !== new_phone && address !== new_user_id,
  );
  if (from.length === 0 || (new_phone ?? new_user_id) === null) return undefined;
  return { from: [...new Set(from)] as string[], new_phone, new_user_id };
}

/** At most as long as an identity's `external_id`. */
const addressOf = (value: unknown): string | undefined => {
  const text = idText(value);
  return text === undefined || text.length > 255 ? undefined : storableText(text);
};

function readSpeech(message: unknown): Partial<InboundContent> {
  const type = typeOf(message);
  if (type === undefined) return {};
  // `contacts` is the only part that is a list.
  if (type === 'contacts' && isJsonObject(message)) {
    return { text: lines(...objects(message.contacts).map(contactOf)) };
  }
  const error = isJsonObject(message) ? reasonIn(message.errors) : null;
  return {
    ...ownReader(SPEECH, type)?.(partOf(message, type)),
    ...(error !== null && { error: `The channel could not pass it on: ${error}` }),
  };
}

function readInteractive(part: JsonObject): Partial<InboundContent> {
  const reply = Object.keys(REPLIES).find((name) => isJsonObject(ownMember(part, name)));
  const read = reply === undefined ? undefined : ownReader(REPLIES, reply);
  return read && reply !== undefined ? read(partOf(part, reply)) : {};
}

const ownReader = (readers: Readonly<Record<string, Reader>>, name: string): Reader | undefined =>
  Object.hasOwn(readers, name) ? readers[name] : undefined;

/** The stated type, else the type whose part the message has. */
function typeOf(message: unknown): string | undefined {
  if (!isJsonObject(message)) return undefined;
  const named = idText(ownMember(message, 'type'));
  return named ?? Object.keys(SPEECH).find((type) => isJsonObject(ownMember(message, type)));
}

function partOf(whole: unknown, name: string): JsonObject {
  const part = isJsonObject(whole) ? ownMember(whole, name) : undefined;
  return isJsonObject(part) ? part : {};
}

function mediaOf({ id, mime_type, file_size, filename }: JsonObject): Media[] {
  if (typeof id !== 'string' || !MEDIA_ID.test(id)) return [];
  const name = textOf(filename)?.slice(0, MAX_FILENAME_LENGTH).toWellFormed();
  return [
    {
      id,
      mime_type: typeof mime_type === 'string' && MIME_TYPE.test(mime_type) ? mime_type : null,
      size:
        typeof file_size === 'number' && Number.isSafeInteger(file_size) && file_size >= 0 ? file_size : null,
      ...(name && { filename: name }),
    },
  ];
}

/** In the notation of map searches. */
const pointOf = ({ latitude, longitude }: JsonObject): string | null =>
  typeof latitude === 'number' && typeof longitude === 'number' ? `${latitude}, ${longitude}` : null;

/** One line per contact card. */
function contactOf({ name, org, phones, emails, addresses, urls }: JsonObject): string {
  const { formatted_name, first_name, last_name } = isJsonObject(name) ? name : {};
  const title = textOf(formatted_name) ?? joinTexts(' ', first_name, last_name);
  const { company, title: role } = isJsonObject(org) ? org : {};
  const numbers = objects(phones).map((phone) => textOf(phone.phone) ?? phone.wa_id);
  const mails = objects(emails).map(({ email }) => email);
  const places = objects(addresses).map(({ street, city, state, zip, country }) =>
    joinTexts(' ', street, zip, city, state, country),
  );
  return joinTexts(
    ', ',
    title,
    role,
    company,
    ...numbers,
    ...mails,
    ...places,
    ...objects(urls).map(({ url }) => url),
  );
}

/** A line of an order, such as `2 × sku-1 (19.9 EUR)`. */
function itemOf({ product_retailer_id, quantity, item_price, currency }: JsonObject): string {
  const count = scalarOf(quantity);
  const price = joinTexts(' ', scalarOf(item_price), currency);
  return `${count === null ? '' : `${count} × `}${textOf(product_retailer_id) ?? '?'}${price === '' ? '' : ` (${price})`}`;
}

/** A status of the channel's payments, such as `order-1: captured 100.5 INR`. */
function paymentOf({ reference_id, status, amount, currency }: JsonObject): string | null {
  const { value, offset } = isJsonObject(amount) ? amount : {};
  const sum = typeof value === 'number' && typeof offset === 'number' && offset > 0 ? value / offset : null;
  return joinTexts(' ', `${textOf(reference_id) ?? '?'}:`, status, scalarOf(sum), currency);
}

/** A form's answers, one per line. `flow_token` is ours, so it is left out. */
function formOf({ response_json, body }: JsonObject): string | null {
  const answers = typeof response_json === 'string' ? parse(response_json) : response_json;
  if (!isJsonObject(answers)) return textOf(response_json) ?? textOf(body);
  const fields = Object.entries(answers).filter(([name]) => name !== 'flow_token');
  return lines(...fields.map(([name, answer]) => `${name}: ${answerOf(answer)}`));
}

/** Nested answers stay JSON: a path before each value could make a form of 1 MiB many times as long. */
function answerOf(answer: unknown): string {
  const values = Array.isArray(answer) ? answer.map(scalarOf) : [scalarOf(answer)];
  return values.every((value) => value !== null) ? values.join(', ') : storableJson(answer);
}

function scalarOf(value: unknown): string | null {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : null;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** Skips values that are empty or no text. */
const joinTexts = (separator: string, ...values: readonly unknown[]): string =>
  values.filter((value) => typeof value === 'string' && value !== '').join(separator);

const lines = (...values: readonly unknown[]): string | null => joinTexts('\n', ...values) || null;

function idText(value: unknown): string | undefined {
  if (typeof value !== 'string' || value === '' || value.length > MAX_ID_LENGTH) return undefined;
  return value;
}

function replyId(value: unknown): Pick<InboundContent, 'reply_id'> {
  const reply_id = idText(value);
  return reply_id === undefined ? {} : { reply_id };
}
