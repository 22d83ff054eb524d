import type { ApprovalOutcome } from './approval.ts';

export interface PastMessage {
  author: 'sender' | 'agent' | 'person' | 'system';
  text: string;
}

export interface Attachment {
  id: string;
  /** May be empty. */
  mime_type: string;
  /** Bytes, if known. */
  size: number | undefined;
}

/** The body of `POST /messages` (contract, sections 7, 13 and 18). */
export interface InboundMessage {
  /** The first of `message_ids`. */
  message_id: string;
  /** Several for a burst: messages forwarded together, with their texts joined by newlines. */
  message_ids: readonly string[];
  conversation_id: string;
  channel: string;
  external_id: string;
  customer_id: string;
  identity_id: string | null;
  kind: string;
  text: string | null;
  /** Set for the outcome of an approval, which has no text. */
  approval: ApprovalOutcome | undefined;
  media: readonly Attachment[];
  /** Oldest first. */
  history: readonly PastMessage[];
  received_at: string;
  /** Sent with every call for this message. */
  sender_token: string | undefined;
  /** Tracing headers of the request, also sent with every call. */
  trace?: Readonly<Record<string, string>>;
  /** The business number that received the message; undefined in the playground. */
  phone_number_id: string | undefined;
  /** undefined: the sender has only a business-scoped user id. */
  sender_phone: string | undefined;
}

/** A person who writes to another customer is another sender. */
export const senderKey = ({ customer_id, channel, external_id }: InboundMessage): string =>
  JSON.stringify([customer_id, channel, external_id]);
