import { fragment, json, NOW, sql } from '../platform/db/sql.ts';
import { enqueueAll } from '../platform/queue/jobs.db.ts';
import { CONVERSE } from './conversations.db.ts';
import type { MessageAuthor, Usage } from './messages.contract.ts';
import { type MessageRow, messageColumns, SEND_MESSAGES } from './messages.db.ts';

/** How long delivery of a message is tried (contract, section 7). */
export const TRIED_MINUTES = 24 * 60;

/** A message to be added to a conversation. */
export interface NewMessage {
  id: string;
  conversation_id: string;
  direction: 'in' | 'out';
  author: MessageAuthor;
  kind: string;
  sealed_content: Buffer;
  /** `pending` waits for the runtime, `queued` for the channel. */
  status: 'pending' | 'handled' | 'queued' | 'failed';
  /** The name of an incoming one, by which it is answered. */
  message_id?: string;
  user_id?: string | null | undefined;
  in_reply_to?: string | null | undefined;
  /** An author's second message with the same key is left out. */
  idempotency_key?: string | null | undefined;
  usage?: Usage | null | undefined;
  /** Why it was not sent. */
  reason?: string | undefined;
  /** How long delivery is tried; a day where it is left out. */
  tried_minutes?: number;
  /** The message is left out unless the conversation has this mode. */
  in_mode?: 'agent';
}

/** Has the conversations of the rows `added` worked on: a statement's part. */
export const enqueueAdded = fragment(`
  converse as (
    ${enqueueAll(CONVERSE, "select conversation_id, tenant_id, instance_id from added where status = 'pending'").text}
  ), send as (
    ${enqueueAll(SEND_MESSAGES, "select conversation_id, tenant_id, instance_id from added where status = 'queued'").text}
  )`);

/**
 * Adds a message (append_messages). Statements that answer it or change the conversation come behind it.
 * @returns undefined where it was left out
 */
export const appendMessage = ({ sealed_content, ...message }: NewMessage) =>
  sql<MessageRow>`
    with added as materialized (
      select * from append_messages(
        ${json([{ tried_minutes: TRIED_MINUTES, ...message, content_at: 1, content_length: sealed_content.length }])},
        ${sealed_content}, ${NOW})
    ), ${enqueueAdded}
    select ${messageColumns} from added m`.first();
