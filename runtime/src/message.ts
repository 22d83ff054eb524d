import { approvalOf } from './approval.ts';
import { tapOf } from './choices.ts';
import type { Attachment, InboundMessage, Part, PastMessage, Referral } from './inbound-message.ts';
import { at, isObject, isUuid, type JsonObject, textOf } from './json.ts';

/** Answered with or without text. New kinds of the channel are not answered. */
const answeredKinds = new Set([
  'text',
  'button',
  'interactive',
  'image',
  'video',
  'audio',
  'voice',
  'document',
  'location',
  'contacts',
  'order',
]);

/** False for reactions, deletions and notices of the channel. */
export const expectsAnswer = ({ text, kind, media, approval }: InboundMessage): boolean =>
  text !== null ||
  approval !== undefined ||
  answeredKinds.has(kind) ||
  (media.length > 0 && kind !== 'sticker');

const authors = ['sender', 'agent', 'person', 'system'] as const;
const authorOf = (value: unknown) => authors.find((name) => name === at(value, 'author'));

function historyOf(value: unknown): PastMessage[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((past: unknown) => {
    const author = authorOf(past);
    const text = textOf(at(past, 'text'));
    return author === undefined || text === undefined ? [] : [{ author, text }];
  });
}

function idsOf(value: unknown, message_id: string): string[] {
  const ids = Array.isArray(value) ? value.flatMap((id: unknown) => textOf(id) ?? []) : [];
  return ids.length === 0 ? [message_id] : ids;
}

/** @param otherwise for a control plane that tells no `addresses` */
function addressesOf(value: unknown, otherwise: readonly (string | undefined)[]): string[] {
  const told = Array.isArray(value) ? value.flatMap((address: unknown) => textOf(address) ?? []) : [];
  return told.length > 0 ? told : [...new Set(otherwise.filter((address) => address !== undefined))];
}

function mediaOf(value: unknown): Attachment[] {
  if (!Array.isArray(value)) return [];
  return value.map((one: unknown) => {
    const size = at(one, 'size');
    return {
      id: textOf(at(one, 'id')) ?? '',
      mime_type: textOf(at(one, 'mime_type')) ?? '',
      size: typeof size === 'number' ? size : undefined,
    };
  });
}

function referralOf(value: unknown): Referral | undefined {
  if (!isObject(value)) return undefined;
  const [headline, body] = [textOf(value['headline']), textOf(value['body'])];
  return { headline, body, source_id: textOf(value['source_id']), product_id: textOf(value['product_id']) };
}

function quotedOf(value: unknown): Part['quoted'] {
  return isObject(value) ? { text: textOf(value['text']) ?? null, author: authorOf(value) } : undefined;
}

const isTime = (value: string | undefined): value is string =>
  value !== undefined && !Number.isNaN(Date.parse(value));

/** A tap on a choice of the runtime says what its id says; everything else has its text. */
const saidIn = (message: unknown): string | undefined =>
  tapOf(textOf(at(message, 'reply_id')))?.text ?? textOf(at(message, 'text'));

function partOf(message: unknown, text: string, sent_at: string): Part {
  const written = textOf(at(message, 'sent_at'));
  return {
    text,
    sent_at: isTime(written) ? written : sent_at,
    quoted: quotedOf(at(message, 'quoted')),
    referral: referralOf(at(message, 'referral')),
    isForwarded: at(message, 'forwarded') === true,
  };
}

/** The messages of a burst; a control plane of before `messages` joins their texts by newlines. */
function partsOf(body: JsonObject, sent_at: string, isBurst: boolean): Part[] {
  const text = (isBurst ? textOf(body['text']) : saidIn(body))?.trim() ?? '';
  const messages: unknown[] = Array.isArray(body['messages']) ? body['messages'] : [];
  const parts =
    messages.length > 0
      ? messages.map((message) => partOf(message, saidIn(message)?.trim() ?? '', sent_at))
      : (isBurst ? text.split('\n') : [text]).map((line) => partOf(isBurst ? {} : body, line, sent_at));
  return parts.filter((part) => part.text.trim() !== '');
}

/** `invalid` names the first invalid field. */
export function parseMessage(body: unknown): InboundMessage | { invalid: string } {
  if (!isObject(body)) return { invalid: 'body' };
  const message_id = textOf(body['message_id']);
  const channel = textOf(body['channel']);
  const external_id = textOf(body['external_id']);
  const received_at = textOf(body['received_at']);
  const { conversation_id, customer_id } = body;
  const identity_id = body['identity_id'] ?? null;
  const text = body['text'] ?? null;

  if (message_id === undefined) return { invalid: 'message_id' };
  if (!isUuid(conversation_id)) return { invalid: 'conversation_id' };
  if (channel === undefined) return { invalid: 'channel' };
  if (external_id === undefined) return { invalid: 'external_id' };
  if (!isUuid(customer_id)) return { invalid: 'customer_id' };
  if (identity_id !== null && !isUuid(identity_id)) return { invalid: 'identity_id' };
  if (text !== null && typeof text !== 'string') return { invalid: 'text' };
  if (!isTime(received_at)) return { invalid: 'received_at' };
  const message_ids = idsOf(body['message_ids'], message_id);
  const written = textOf(body['sent_at']);
  const sent_at = isTime(written) ? written : received_at;
  return {
    message_id,
    message_ids,
    conversation_id,
    channel,
    external_id,
    addresses: addressesOf(body['addresses'], [external_id, textOf(at(body, 'raw', 'message', 'from'))]),
    customer_id,
    identity_id,
    kind: textOf(body['kind']) ?? 'text',
    text: message_ids.length > 1 ? text : (saidIn(body) ?? text),
    answered_question: tapOf(textOf(body['reply_id']))?.question,
    approval: approvalOf(body['approval']),
    media: mediaOf(body['media']),
    history: historyOf(body['history']),
    sent_at,
    parts: partsOf(body, sent_at, message_ids.length > 1),
    sender_token: textOf(body['sender_token']),
    phone_number_id: textOf(at(body, 'raw', 'metadata', 'phone_number_id')),
    locale: textOf(body['locale']),
  };
}
