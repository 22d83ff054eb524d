import { at, isObject, isUuid, textOf } from './json.ts';

/** A message forwarded to `POST /messages` (contract, section 7), with the used fields of `raw` lifted out. */
export interface InboundMessage {
  message_id: string;
  channel: string;
  external_id: string;
  customer_id: string;
  identity_id: string | null;
  text: string | null;
  received_at: string;
  /** The business number that received the message and sends the answer. */
  phone_number_id: string;
  /** Undefined when the sender is known only by a business-scoped user id. */
  sender_phone: string | undefined;
}

/** Message types that expect no answer, such as a reaction or a changed number. */
const unspoken = new Set<unknown>(['reaction', 'system']);

/**
 * @returns the message, or `invalid` with the first invalid field. `unowned`: the sender belongs to no customer (on a
 * shared instance), so there is no token to answer with. `unspoken`: a type that expects no answer.
 */
export function parseMessage(
  body: unknown,
): InboundMessage | { invalid: string } | { unowned: string } | { unspoken: string } {
  if (!isObject(body)) return { invalid: 'body' };
  const message_id = textOf(body['message_id']);
  const channel = textOf(body['channel']);
  const external_id = textOf(body['external_id']);
  const received_at = textOf(body['received_at']);
  const phone_number_id = textOf(at(body, 'raw', 'metadata', 'phone_number_id'));
  const customer_id = body['customer_id'];
  const identity_id = body['identity_id'] ?? null;
  const text = body['text'] ?? null;

  if (message_id === undefined) return { invalid: 'message_id' };
  if (channel === undefined) return { invalid: 'channel' };
  if (external_id === undefined) return { invalid: 'external_id' };
  if (unspoken.has(at(body, 'raw', 'message', 'type'))) return { unspoken: message_id };
  if (customer_id === null) return { unowned: message_id };
  if (!isUuid(customer_id)) return { invalid: 'customer_id' };
  if (identity_id !== null && !isUuid(identity_id)) return { invalid: 'identity_id' };
  if (text !== null && typeof text !== 'string') return { invalid: 'text' };
  if (received_at === undefined || Number.isNaN(Date.parse(received_at))) return { invalid: 'received_at' };
  if (phone_number_id === undefined) return { invalid: 'raw.metadata.phone_number_id' };
  const sender_phone = textOf(at(body, 'raw', 'message', 'from'));
  return {
    message_id,
    channel,
    external_id,
    customer_id,
    identity_id,
    text,
    received_at,
    phone_number_id,
    sender_phone,
  };
}

/** Identifies a conversation: the same person writing to another customer is another sender. */
export const senderKey = ({ customer_id, channel, external_id }: InboundMessage): string =>
  JSON.stringify([customer_id, channel, external_id]);
