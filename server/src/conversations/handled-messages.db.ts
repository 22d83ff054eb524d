import { NOW, sql } from '../platform/db/sql.ts';
import { TRIGGER } from './messages.db.ts';

/** A trigger that still waits for the runtime is not told any more. Comes behind the conversation's lock. */
export const dropWaitingTriggers = (conversation_id: string) =>
  sql`update channel_messages set status = 'handled', last_error = 'Not forwarded: the sender has written STOP',
        finished_at = ${NOW}, change = nextval('message_changes')
      where conversation_id = ${conversation_id} and kind = ${TRIGGER} and status = 'pending'`;

/** Marks messages as forwarded together: when they are tried again, they stay together. */
export const setBurst = (ids: readonly string[]) =>
  sql`update channel_messages set burst = ${ids[0]} where id = any(${ids}::uuid[]) and burst is null`;

export interface HandledMessage {
  id: string;
  /** Without the channel's own parts; null where the content was erased. */
  sealed_content: Buffer | null;
  /** True where a runtime has taken it. */
  isForwarded: boolean;
  /** Why nobody gets it. */
  why?: string | undefined;
}

/** A runtime has taken a message, a person has answered it, or nobody gets it. Contents that were erased stay so. */
export const markHandled = ({ id, sealed_content, isForwarded, why }: HandledMessage) =>
  sql`update channel_messages set status = 'handled', attempts = attempts + ${isForwarded ? 1 : 0}::int, last_error = ${why},
        finished_at = ${NOW}, forwarded_at = case when ${isForwarded} then ${NOW}::timestamptz end,
        change = nextval('message_changes'),
        sealed_content = case when erase_at is not null then ${sealed_content}::bytea end
      where id = ${id} and status = 'pending'`;

/** The text of a voice note, or why it has none. An erased content stays erased. False where it waits no more. */
export const setTranscript = (id: string, sealed_content: Buffer, error: string | null) =>
  sql`update channel_messages set sealed_content = ${sealed_content}, error = ${error}, change = nextval('message_changes')
      where id = ${id} and status = 'pending' and sealed_content is not null returning id`.exists();

export const markDead = (ids: readonly string[], last_error: string) =>
  sql`update channel_messages set status = 'dead', last_error = ${last_error}, finished_at = ${NOW}, change = nextval('message_changes')
      where id = any(${ids}::uuid[]) and status = 'pending'`;

/** Followers are told why it waits. Comes behind holdConversation. */
export const recordFailedAttempt = (ids: readonly string[], last_error: string) =>
  sql`update channel_messages set attempts = attempts + 1, last_error = ${last_error}, change = nextval('message_changes')
      where id = any(${ids}::uuid[]) and status = 'pending'`;

/** A sender’s waiting messages are worth trying for as long as this after the conversation is open to the agent again. */
export const waitUntil = (conversation_id: string, opens_at: Date) =>
  sql`update channel_messages set give_up_at = greatest(give_up_at, ${opens_at}::timestamptz + interval '24 hours')
      where conversation_id = ${conversation_id} and status = 'pending' and author = 'sender'`;
