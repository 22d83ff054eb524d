import { BOUNDS } from '../catalogue/bounds.contract.ts';
import { fragment, sql } from '../platform/db/sql.ts';
import type { MessageAuthor, MessageStatus, Usage } from './messages.contract.ts';

/** Kind of the jobs that send queued messages; the key is the conversation's id. */
export const SEND_MESSAGES = 'send_messages';

/** Kind of the messages that make an agent write first. */
export const TRIGGER = 'trigger';

/** Kind of the channel's notices that the sender wants no marketing, or wants it again. */
const PREFERENCES = 'user_preferences';

/** Kind of the notes for people on why the agent handed over. */
export const HANDOVER = 'handover';

/** Kind of the messages that note who has a conversation (takers.sql). */
export const TAKEOVER = 'takeover';

export interface StoredContent {
  id: string;
  /** null once it was erased. */
  sealed_content: Buffer | null;
}

export interface MessageRow extends StoredContent {
  conversation_id: string;
  number: number;
  change: number;
  direction: 'in' | 'out';
  author: MessageAuthor;
  user_id: string | null;
  /** null once the user has left the tenant. */
  user_name: string | null;
  key_id: string | null;
  key_name: string | null;
  kind: string;
  status: MessageStatus;
  error: string | null;
  at: Date;
  usage: Usage | null;
}

export const messageColumns =
  fragment(`m.id, m.conversation_id, m.number, m.change, m.direction, m.author, m.kind, m.status,
  m.user_id, (select email from memberships where user_id = m.user_id limit 1) as user_name,
  m.key_id, (select name from api_keys where id = m.key_id) as key_name,
  coalesce(m.error, m.last_error) as error, coalesce(m.sent_at, m.received_at) as at, m.usage, m.sealed_content`);

export const isConversation = (id: string) => sql`select from conversations where id = ${id}`.exists();

/** A row with the number of all rows that there would be without the bound in bytes. */
type PagedRow = MessageRow & { found: number };

/** Newest first, up to the bytes of a page, at least one. */
export const listNewestMessages = (conversation_id: string, before: string | undefined, limit: number) =>
  sql<PagedRow>`
    select * from (
      select *, (count(*) over ())::int as found, row_number() over (order by number desc) as place,
             sum(coalesce(octet_length(sealed_content), 0)) over (order by number desc) as bytes
      from (
        select ${messageColumns} from channel_messages m
        where m.conversation_id = ${conversation_id}
          and (${before}::uuid is null or m.number < (
            select number from channel_messages b where b.id = ${before} and b.conversation_id = ${conversation_id}))
        order by m.number desc limit ${limit}) listed) measured
    where place = 1 or bytes <= ${BOUNDS.page.messages_bytes}
    order by number desc`;

/** Raises 404, which stops the statements after it. */
export const messageExists = (conversation_id: string, id: string) =>
  sql`select must_exist(exists (
        select from channel_messages where id = ${id} and conversation_id = ${conversation_id}), 'Message')`;

/** In the order of changes, up to the bytes of a read, at least one. @param after number of the last change that is known */
export const listChangedMessages = (conversation_id: string, after: number, limit: number) =>
  sql<PagedRow>`
    select * from (
      select *, (count(*) over ())::int as found, row_number() over (order by change) as place,
             sum(coalesce(octet_length(sealed_content), 0)) over (order by change) as bytes
      from (
        select ${messageColumns} from channel_messages m
        where m.conversation_id = ${conversation_id} and m.change > ${after}
        order by m.change limit ${limit}) listed) measured
    where place = 1 or bytes <= ${BOUNDS.page.events_bytes}
    order by change`;

/** Kept messages of a conversation with one of the channel's ids. `channel_ids` has all of each. */
export const listQuoted = (conversation_id: string, ids: readonly string[]) =>
  sql<StoredContent & { channel_ids: string[]; author: MessageAuthor; at: Date }>`
    select id, sealed_content, channel_ids || message_id as channel_ids, author, coalesce(sent_at, received_at) as at
    from channel_messages
    where conversation_id = ${conversation_id} and sealed_content is not null
      and (message_id = any (${ids}::text[]) or channel_ids && ${ids}::text[])`;

/**
 * The history for a runtime, newest first: messages with content that neither wait nor failed. Triggers are left out because
 * no person wrote them, handover notes and notices because they are for people.
 */
export const listHistory = (conversation_id: string, limit: number) =>
  sql<MessageRow>`
    select ${messageColumns} from channel_messages m
    where m.conversation_id = ${conversation_id} and m.sealed_content is not null and m.status not in ('pending', 'failed')
      and m.kind not in (${TRIGGER}, ${HANDOVER}, ${PREFERENCES})
    order by m.number desc limit ${limit}`;

/**
 * Locks a conversation until the transaction ends; raises 404. Statements that add or change messages require it, so that
 * numbers and changes are committed in order.
 */
export const holdConversation = (id: string) =>
  sql`select must_exist(exists (select from conversations where id = ${id} for no key update), 'Conversation')`;

/** Like holdConversation, but for a conversation that may be deleted. */
export const lockConversation = (id: string) =>
  sql`select from conversations where id = ${id} for no key update`;

/** Incoming messages, newest first. */
export const listNewestIncoming = (conversation_id: string, limit: number) =>
  sql<StoredContent>`
    select id, sealed_content from channel_messages
    where conversation_id = ${conversation_id} and direction = 'in' order by number desc limit ${limit}`;

/** Does nothing when the content was erased. Requires lockConversation. */
export const replaceContent = (id: string, sealed_content: Buffer) =>
  sql`update channel_messages set sealed_content = ${sealed_content},
        change = nextval('message_changes')
      where id = ${id} and sealed_content is not null`;

export const findMessageByKey = (
  conversation_id: string,
  author: MessageAuthor,
  idempotency_key: string | null,
) =>
  sql<MessageRow>`
    select ${messageColumns} from channel_messages m
    where m.conversation_id = ${conversation_id} and m.author = ${author} and m.idempotency_key = ${idempotency_key}`.first();
