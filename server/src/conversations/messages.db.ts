import { fragment, json, NOW, sql } from '../platform/db/sql.ts';
import type { JsonObject } from '../platform/json/json-object.ts';
import { INTO_JOBS, OR_AGAIN } from '../platform/queue/jobs.db.ts';
import type { MessageAuthor, MessageStatus, Usage } from './messages.contract.ts';
import { SERVED_BY } from './served-by.db.ts';

/** The kind of the jobs that send the queued messages of a conversation; the key is the conversation's id. */
export const SEND_MESSAGES = 'send_messages';

/** The kind of the messages that tell an agent to speak by itself. */
export const TRIGGER = 'trigger';

/** The kind of the notes that tell a person why the agent handed a conversation over. */
export const HANDOVER = 'handover';

/** A message's content as it is stored; `text` and `raw` are those of a message from before contents were sealed. */
export interface StoredContent {
  id: string;
  sealed_content: Buffer | null;
  text?: string | null;
  raw?: JsonObject | null;
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

const columns =
  fragment(`m.id, m.conversation_id, m.number, m.change, m.direction, m.author, m.user_id, m.kind, m.status,
  coalesce(m.error, m.last_error) as error, m.received_at as at, m.usage, m.sealed_content, m.text, m.raw`);

export const isConversation = (id: string) => sql`select from conversations where id = ${id}`.exists();

/** The newest messages before one, newest first. */
export const listNewestMessages = (conversation_id: string, before: string | undefined, limit: number) =>
  sql<MessageRow>`
    select ${columns} from channel_messages m
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
    select ${columns} from channel_messages m where m.conversation_id = ${conversation_id} and m.change > ${after}
    order by m.change limit ${limit}`;

/**
 * The messages that have content, newest first, without those that wait or failed: what a runtime is told of the past. Nobody
 * said the words of a trigger, and those about a handover are for people.
 */
export const listHistory = (conversation_id: string, limit: number) =>
  sql<MessageRow>`
    select ${columns} from channel_messages m
    where m.conversation_id = ${conversation_id} and m.sealed_content is not null and m.status not in ('pending', 'failed')
      and m.kind not in (${TRIGGER}, ${HANDOVER})
    order by m.number desc limit ${limit}`;

export interface OutgoingMessage {
  id: string;
  conversation_id: string;
  author: Exclude<MessageAuthor, 'sender'>;
  user_id?: string | null;
  kind: string;
  sealed_content: Buffer;
  in_reply_to?: string | null;
  idempotency_key?: string | null;
  usage?: Usage | null;
  /** Why it is not sent at all. */
  failure?: string | undefined;
}

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
    select id, sealed_content, text, raw from channel_messages
    where conversation_id = ${conversation_id} and direction = 'in' order by number desc limit ${limit}`;

/** Replaces what a message says, unless it was erased meanwhile. Comes behind lockConversation. */
export const replaceContent = (id: string, sealed_content: Buffer) =>
  sql`update channel_messages set sealed_content = ${sealed_content}, text = null, raw = null,
        change = nextval('message_changes')
      where id = ${id} and (sealed_content is not null or text is not null or raw is not null)`;

/**
 * Queues an outgoing message and its sending; in the playground it counts as delivered at once. Comes behind
 * holdConversation. @returns undefined when the conversation has a message with this idempotency key
 */
export const insertOutgoing = (message: OutgoingMessage) => {
  const {
    id,
    conversation_id,
    author,
    user_id,
    kind,
    sealed_content,
    in_reply_to,
    idempotency_key,
    failure,
  } = message;
  return sql<MessageRow>`
    with added as (
      insert into channel_messages as m (id, tenant_id, conversation_id, instance_id, endpoint_id, channel, external_id, direction,
        author, user_id, kind, sealed_content, status, error, in_reply_to, idempotency_key, usage, received_at, give_up_at,
        finished_at, erase_at)
      select ${id}, c.tenant_id, c.id, c.instance_id, c.endpoint_id, c.channel, c.external_id, 'out',
        ${author}, ${user_id}, ${kind}, ${sealed_content},
        case when ${failure}::text is not null then 'failed' when c.channel = 'playground' then 'delivered' else 'queued' end,
        ${failure}::text, ${in_reply_to}, ${idempotency_key}, ${json(message.usage)}, ${NOW}::timestamptz,
        ${NOW}::timestamptz + interval '24 hours',
        case when c.channel = 'playground' or ${failure}::text is not null then ${NOW}::timestamptz end,
        ${NOW}::timestamptz + coalesce(nullif(d.retention_days, 0), case when c.channel = 'playground' or ${failure}::text is not null then 1 else 7 end) * interval '1 day'
      from conversations c
      ${SERVED_BY}
      where c.id = ${conversation_id}
      on conflict (conversation_id, author, idempotency_key) where idempotency_key is not null do nothing
      returning ${columns}
    ), touched as (
      update conversations set last_message_at = ${NOW}, erased_at = null where id in (select conversation_id from added)
    ), enqueued as (
      ${INTO_JOBS}
      select ${SEND_MESSAGES}, c.id::text, c.tenant_id, c.instance_id::text, '-infinity'::timestamptz, now()
      from added join conversations c on c.id = added.conversation_id where added.status = 'queued'
      ${OR_AGAIN}
    )
    select * from added`.first();
};

/** The message of an author's idempotency key. */
export const findMessageByKey = (
  conversation_id: string,
  author: OutgoingMessage['author'],
  idempotency_key: string | null,
) =>
  sql<MessageRow>`
    select ${columns} from channel_messages m
    where m.conversation_id = ${conversation_id} and m.author = ${author} and m.idempotency_key = ${idempotency_key}`.first();
