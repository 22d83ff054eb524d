import { NOW, sql } from '../platform/db/sql.ts';
import { TRIGGER } from './messages.db.ts';

/** Cancels triggers that still wait for the runtime. Requires holdConversation. */
export const dropWaitingTriggers = (conversation_id: string) =>
  sql`update channel_messages set status = 'handled', last_error = 'Not forwarded: the sender has written STOP',
        finished_at = ${NOW}, change = nextval('message_changes')
      where conversation_id = ${conversation_id} and kind = ${TRIGGER} and status = 'pending'`;

/** Marks messages as one burst, so that retries forward them together. */
export const setBurst = (ids: readonly string[]) =>
  sql`update channel_messages set burst = ${ids[0]} where id = any(${ids}::uuid[]) and burst is null`;

export interface HandledMessage {
  id: string;
  /** Without `raw` and `trace`; null once the content was erased. */
  sealed_content: Buffer | null;
  isForwarded: boolean;
  why?: string | undefined;
}

/** A runtime has taken it, a person has answered it, or it is not forwarded. Contents that were erased stay erased. */
export const markHandled = ({ id, sealed_content, isForwarded, why }: HandledMessage) =>
  sql`update channel_messages set status = 'handled', attempts = attempts + ${isForwarded ? 1 : 0}::int, last_error = ${why},
        finished_at = ${NOW}, forwarded_at = case when ${isForwarded} then ${NOW}::timestamptz end,
        change = nextval('message_changes'),
        sealed_content = case when erase_at is not null then ${sealed_content}::bytea end
      where id = ${id} and status = 'pending'`;

/** Stores a transcript, or the error. False when the message no longer waits or was erased. */
export const setTranscript = (id: string, sealed_content: Buffer, error: string | null) =>
  sql`update channel_messages set sealed_content = ${sealed_content}, error = ${error}, change = nextval('message_changes')
      where id = ${id} and status = 'pending' and sealed_content is not null returning id`.exists();

export const markDead = (ids: readonly string[], last_error: string) =>
  sql`update channel_messages set status = 'dead', last_error = ${last_error}, finished_at = ${NOW}, change = nextval('message_changes')
      where id = any(${ids}::uuid[]) and status = 'pending'`;

/**
 * Followers see the error. Requires holdConversation.
 * @returns how many tries failed after an answer to one of the messages
 */
export const recordFailedAttempt = (ids: readonly string[], last_error: string) =>
  sql<{ partial_tries: number }>`
    with answered as (
      select from channel_messages m join channel_messages a on a.conversation_id = m.conversation_id
        and a.number > m.number and a.author = 'agent' and a.in_reply_to = m.message_id
      where m.id = any(${ids}::uuid[]) limit 1
    )
    update channel_messages set attempts = attempts + 1, last_error = ${last_error}, change = nextval('message_changes'),
      partial_tries = partial_tries + (exists (select from answered))::int
    where id = any(${ids}::uuid[]) and status = 'pending'
    returning partial_tries`.each(({ partial_tries }) => partial_tries);

/** Extends retries of waiting messages to 24 hours after the conversation is open to the agent again. */
export const waitUntil = (conversation_id: string, opens_at: Date) =>
  sql`update channel_messages set give_up_at = greatest(give_up_at, ${opens_at}::timestamptz + interval '24 hours')
      where conversation_id = ${conversation_id} and status = 'pending' and author = 'sender'`;
