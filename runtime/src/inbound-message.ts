import type { ApprovalOutcome } from './approval.ts';

/** A message of the conversation's past. */
export interface PastMessage {
  author: 'sender' | 'agent' | 'person' | 'system';
  text: string;
}

/** Something attached to a message. */
export interface Attachment {
  id: string;
  /** An empty text where the channel names none. */
  mime_type: string;
  /** Bytes, where the channel tells. */
  size: number | undefined;
}

/** A message as forwarded to `POST /messages` (contract, sections 7, 13 and 18). */
export interface InboundMessage {
  /** The first of `message_ids`. */
  message_id: string;
  /** One id, or those of a burst: messages that were forwarded together, their texts joined by newlines. */
  message_ids: readonly string[];
  conversation_id: string;
  channel: string;
  external_id: string;
  customer_id: string;
  identity_id: string | null;
  kind: string;
  text: string | null;
  /** Set for the outcome of a call that a person had to approve, which has no text. */
  approval: ApprovalOutcome | undefined;
  media: readonly Attachment[];
  /** Oldest first. */
  history: readonly PastMessage[];
  received_at: string;
  /** Sent with every call that is made for this message; undefined where the control plane gives none. */
  sender_token: string | undefined;
  /** Headers that name the request which brought it; sent with every call as well. */
  trace?: Readonly<Record<string, string>>;
  /** The business number that received the message; undefined in the playground. */
  phone_number_id: string | undefined;
  /** Undefined when the sender is known only by a business-scoped user id. */
  sender_phone: string | undefined;
}

/** Identifies a conversation: the same person writing to another customer is another sender. */
export const senderKey = ({ customer_id, channel, external_id }: InboundMessage): string =>
  JSON.stringify([customer_id, channel, external_id]);
