import { NOW, sql } from '../platform/db/sql.ts';
import { INTO_JOBS, OR_AGAIN } from '../platform/queue/jobs.db.ts';
import { CONVERSE } from './conversations.db.ts';
import { SERVED_BY } from './served-by.db.ts';

/** The customer that a sender in the playground writes to; null where a shared instance needs an identity to tell. */
export const findPlaygroundCustomer = (instance_id: string, identity_id: string | null) =>
  sql<{ customer_id: string | null; identity_is_served: boolean }>`
    select coalesce(d.customer_id, case when i.hosting_mode = 'dedicated' then i.customer_id end) as customer_id,
           d.customer_id is not null as identity_is_served
    from instances i
    left join identities n on n.id = ${identity_id}
    left join deployments d on d.instance_id = i.id and d.customer_id = n.customer_id and d.released_at is null
    where i.id = ${instance_id} limit 1`.first();

export const insertPlaygroundConversation = (conversation: {
  id: string;
  instance_id: string;
  customer_id: string;
  external_id: string;
  identity_id: string | null;
}) =>
  sql`insert into conversations
        (id, tenant_id, instance_id, customer_id, channel, external_id, identity_id, last_message_at, last_in_at)
      values (${conversation.id}, current_tenant(), ${conversation.instance_id}, ${conversation.customer_id}, 'playground',
              ${conversation.external_id}, ${conversation.identity_id}, ${NOW}, ${NOW})`;

/** Stops the statements behind it with 404 unless it is a conversation of the instance's playground. */
export const playgroundConversationExists = (instance_id: string, id: string) =>
  sql`select must_exist(exists (
        select from conversations where id = ${id} and instance_id = ${instance_id} and channel = 'playground'),
        'Conversation')`;

/** Adds a message of the sender and enqueues the conversation. Comes behind holdConversation. */
export const insertPlaygroundMessage = (message: {
  id: string;
  conversation_id: string;
  sealed_content: Buffer;
}) =>
  sql`with talked as (
        update conversations set last_message_at = ${NOW}, last_in_at = ${NOW}, is_unanswered = true,
          erased_at = null
        where id = ${message.conversation_id} returning *
      ), stored as (
        insert into channel_messages (id, tenant_id, conversation_id, instance_id, channel, message_id, external_id, sealed_content,
                              received_at, give_up_at, erase_at)
        select ${message.id}, c.tenant_id, c.id, c.instance_id, c.channel, ${message.id}, c.external_id,
               ${message.sealed_content}, ${NOW}::timestamptz, ${NOW}::timestamptz + interval '24 hours',
               ${NOW}::timestamptz + coalesce(nullif(d.retention_days, 0), 7) * interval '1 day'
        from talked c ${SERVED_BY}
      )
      ${INTO_JOBS}
      select ${CONVERSE}, id::text, tenant_id, instance_id::text, '-infinity'::timestamptz, now() from talked
      ${OR_AGAIN}`;
