import { fragment, sql } from '../platform/db/sql.ts';
import type { MessageAuthor, MessageStatus, Usage } from './messages.contract.ts';

/** The kind of the jobs that send the queued messages of a conversation; the key is the conversation's id. */
export const SEND_MESSAGES = 'send_messages';

/** The kind of the messages that tell an agent to speak by itself. */
export const TRIGGER = 'trigger';

/** The kind of the notes that tell a person why the agent handed a conversation over. */
export const HANDOVER = 'handover';

/** A message's content as it is stored; null once it was erased. */
export interface StoredContent {
  id: string;
  sealed_content: Buffer | null;
}

export interface MessageRow extends StoredContent {
  conversation_id: string;
  number: number;
  change: number;
  direction: 'in' | 'out';
  author: MessageAuthor;
  user_id: string | null;
  kind: string;
  status: MessageStatus;
  error: string | null;
  at: Date;
  usage: Usage | null;
}

export const messageColumns =
  fragment(`m.id, m.conversation_id, m.number, m.change, m.direction, m.author, m.user_id, m.kind, m.status,
  coalesce(m.error, m.last_error) as error, m.received_at as at, m.usage, m.sealed_content`);

export const isConversation = (id: string) => sql`select from conversations where id = ${id}`.exists();

/** The newest messages before one, newest first. */
export const listNewestMessages = (conversation_id: string, before: string | undefined, limit: number) =>
  sql<MessageRow>`
    select ${messageColumns} from channel_messages m
    where m.conversation_id = ${conversation_id}
      and (${before}::uuid is null or m.number < (
        select number from channel_messages b where b.id = ${before} and b.conversation_id = ${conversation_id}))
    order by m.number desc limit ${limit}`;

/** Stops the statements behind it with 404 unless the conversation has the message. */
export const messageExists = (conversation_id: string, id: string) =>
  sql`select must_exist(exists (
        select from channel_messages where id = ${id} and conversation_id = ${conversation_id}), 'Message')`;

/** Messages that were added or changed after the change `after`, in the order of their changes. */
export const listChangedMessages = (conversation_id: string, after: number, limit: number) =>
  sql<MessageRow>`
    select ${messageColumns} from channel_messages m where m.conversation_id = ${conversation_id} and m.change > ${after}
    order by m.change limit ${limit}`;

/**
 * The messages that have content, newest first, without those that wait or failed: what a runtime is told of the past. Nobody
 * said the words of a trigger, and those about a handover are for people.
 */
export const listHistory = (conversation_id: string, limit: number) =>
  sql<MessageRow>`
    select ${messageColumns} from channel_messages m
    where m.conversation_id = ${conversation_id} and m.sealed_content is not null and m.status not in ('pending', 'failed')
      and m.kind not in (${TRIGGER}, ${HANDOVER})
    order by m.number desc limit ${limit}`;

/**
 * Holds a conversation until the transaction ends. Each statement that adds or changes messages comes behind it, so that
 * numbers and changes are committed in their order.
 */
export const holdConversation = (id: string) =>
  sql`select must_exist(exists (select from conversations where id = ${id} for no key update), 'Conversation')`;

/** The same where the conversation may be gone. */
export const lockConversation = (id: string) =>
  sql`select from conversations where id = ${id} for no key update`;

/** The newest messages of the sender, the newest first. */
export const listNewestIncoming = (conversation_id: string, limit: number) =>
  sql<StoredContent>`
    select id, sealed_content from channel_messages
    where conversation_id = ${conversation_id} and direction = 'in' order by number desc limit ${limit}`;

/** Replaces what a message says, unless it was erased meanwhile. Comes behind lockConversation. */
export const replaceContent = (id: string, sealed_content: Buffer) =>
  sql`update channel_messages set sealed_content = ${sealed_content},
        change = nextval('message_changes')
      where id = ${id} and sealed_content is not null`;

/** The message of an author's idempotency key. */
export const findMessageByKey = (
  conversation_id: string,
  author: MessageAuthor,
  idempotency_key: string | null,
) =>
  sql<MessageRow>`
    select ${messageColumns} from channel_messages m
    where m.conversation_id = ${conversation_id} and m.author = ${author} and m.idempotency_key = ${idempotency_key}`.first();
