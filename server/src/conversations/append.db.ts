import { fragment, json, NOW, sql } from '../platform/db/sql.ts';
import { enqueueAll } from '../platform/queue/jobs.db.ts';
import { CONVERSE } from './conversations.db.ts';
import type { MessageAuthor, Usage } from './messages.contract.ts';
import { type MessageRow, messageColumns, SEND_MESSAGES } from './messages.db.ts';

/** How long delivery is retried (contract, section 7). */
export const TRIED_MINUTES = 24 * 60;

export interface NewMessage {
  id: string;
  conversation_id: string;
  direction: 'in' | 'out';
  author: MessageAuthor;
  kind: string;
  sealed_content: Buffer;
  /** `pending` waits for the runtime, `queued` for the channel. */
  status: 'pending' | 'handled' | 'queued' | 'failed';
  /** The channel's id of an incoming message; answers refer to it. */
  message_id?: string;
  user_id?: string | null | undefined;
  key_id?: string | null | undefined;
  in_reply_to?: string | null | undefined;
  /** A second message of the author with the same key is skipped. */
  idempotency_key?: string | null | undefined;
  usage?: Usage | null | undefined;
  reason?: string | undefined;
  /** How long delivery is retried; a day by default. */
  tried_minutes?: number;
  /** Skips the message unless the conversation has this mode. */
  in_mode?: 'agent';
}

/** CTEs that enqueue the jobs of the rows in the CTE `added`. */
export const enqueueAdded = fragment(`
  converse as (
    ${enqueueAll(CONVERSE, "select conversation_id, tenant_id, instance_id from added where status = 'pending'").text}
  ), send as (
    ${enqueueAll(SEND_MESSAGES, "select conversation_id, tenant_id, instance_id from added where status = 'queued'").text}
  )`);

/**
 * Adds a message (append.sql). Statements that change its conversation have to follow it.
 * @returns undefined when it was skipped
 */
export const appendMessage = ({ sealed_content, ...message }: NewMessage) =>
  sql<MessageRow>`
    with added as materialized (
      select * from append_messages(
        ${json([{ tried_minutes: TRIED_MINUTES, ...message, content_at: 1, content_length: sealed_content.length }])},
        ${sealed_content}, ${NOW})
    ), ${enqueueAdded}
    select ${messageColumns} from added m`.first();
