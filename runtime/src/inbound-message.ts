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

/** One message of a burst, with what its words refer to. */
export interface Part {
  text: string;
  /** When it was written. */
  sent_at: string;
  /** The message that it answers; `text` is null where that is not kept. */
  quoted: { text: string | null; author: PastMessage['author'] | undefined } | undefined;
  /** The ad, post or product from which the sender came. */
  referral: Referral | undefined;
  /** Somebody else's words that the sender passes on. */
  isForwarded: boolean;
}

export interface Referral {
  headline: string | undefined;
  body: string | undefined;
  source_id: string | undefined;
  product_id: string | undefined;
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
  /** Each phone number and user id of the sender; `external_id` need not be one any more. */
  addresses: readonly string[];
  customer_id: string;
  identity_id: string | null;
  kind: string;
  text: string | null;
  /** Set for the outcome of an approval, which has no text. */
  /** The key of the yes-or-no question under which the sender tapped. */
  answered_question?: string | undefined;
  approval: ApprovalOutcome | undefined;
  media: readonly Attachment[];
  /** Oldest first. */
  history: readonly PastMessage[];
  /** When the last one was written. */
  sent_at: string;
  /** Those with text, in the order in which they were written. */
  parts: readonly Part[];
  /** Sent with every call for this message. */
  sender_token: string | undefined;
  /** Tracing headers of the request, also sent with every call. */
  trace?: Readonly<Record<string, string>>;
  /** The business number that received the message; undefined in the playground. */
  phone_number_id: string | undefined;
  /** The customer's, BCP 47. */
  locale?: string | undefined;
}

/** A person who writes to another customer is another sender, and so is whoever has a former sender’s number. */
export const senderKey = ({ conversation_id, customer_id, channel, external_id }: InboundMessage): string =>
  JSON.stringify([conversation_id, customer_id, channel, external_id]);
