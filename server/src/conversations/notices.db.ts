import { NOW, sql } from '../platform/db/sql.ts';
import { INTO_JOBS, OR_AGAIN } from '../platform/queue/jobs.db.ts';
import { CONVERSE } from './conversations.db.ts';
import { HANDOVER } from './messages.db.ts';
import { SERVED_BY } from './served-by.db.ts';

/** Something that the control plane itself brings to the agent in a conversation, such as a trigger. */
export interface Notice {
  id: string;
  conversation_id: string;
  /** As the runtime is told it, such as `trigger`. */
  kind: string;
  /** Names it to the runtime, which answers in reply to it. */
  message_id: string;
  sealed_content: Buffer;
  /** Its delivery is tried for so long; a day where it is left out. */
  minutes?: number;
}

const A_DAY = 24 * 60;

/**
 * Notes why the agent hands a conversation over, for people alone. None without a reason, for a repetition, and
 * where a person has the conversation. Comes behind holdConversation, in front of handToPerson.
 */
export const noteHandover = (note: { id: string; conversation_id: string; sealed_content: Buffer | null }) =>
  sql`with added as (
        insert into channel_messages (id, tenant_id, conversation_id, instance_id, channel, message_id, external_id, author,
                                      kind, sealed_content, status, received_at, give_up_at, finished_at, erase_at)
        select ${note.id}, c.tenant_id, c.id, c.instance_id, c.channel, ${note.id}, c.external_id, 'system',
               ${HANDOVER}, ${note.sealed_content}, 'handled', ${NOW}::timestamptz, ${NOW}, ${NOW},
               ${NOW}::timestamptz + coalesce(nullif(d.retention_days, 0), 1) * interval '1 day'
        from conversations c ${SERVED_BY} where c.id = ${note.conversation_id} and c.mode = 'agent'
          and ${note.sealed_content}::bytea is not null
        returning conversation_id
      )
      update conversations set last_message_at = ${NOW}, erased_at = null where id in (select conversation_id from added)`;

/**
 * Queues a notice for the agent, once per id. It is forwarded before what the sender wrote, outside business hours too. In
 * the mode `human` the agent is not told, and the person reads it. Comes behind lockConversation; nothing happens where the
 * conversation is gone.
 */
export const queueNotice = ({
  id,
  conversation_id,
  kind,
  message_id,
  sealed_content,
  minutes = A_DAY,
}: Notice) =>
  sql`with told as (
        select c.*, d.retention_days,
               case when c.mode = 'human' and (c.human_until is null or c.human_until > ${NOW}) then 'handled' else 'pending' end as status
        from conversations c ${SERVED_BY} where c.id = ${conversation_id}
      ), added as (
        insert into channel_messages (id, tenant_id, conversation_id, instance_id, channel, message_id, external_id, author,
                                      kind, sealed_content, status, last_error, received_at, give_up_at, finished_at, erase_at)
        select ${id}, t.tenant_id, t.id, t.instance_id, t.channel, ${message_id}, t.external_id, 'system',
               ${kind}, ${sealed_content}, t.status,
               case t.status when 'handled' then 'Not forwarded: a person has the conversation' end,
               ${NOW}::timestamptz, ${NOW}::timestamptz + ${minutes}::int * interval '1 minute',
               case t.status when 'handled' then ${NOW}::timestamptz end,
               ${NOW}::timestamptz + coalesce(nullif(t.retention_days, 0), case t.status when 'handled' then 1 else 7 end) * interval '1 day'
        from told t
        on conflict (id) do nothing
        returning conversation_id, instance_id, tenant_id, status
      ), touched as (
        update conversations set last_message_at = ${NOW}, erased_at = null where id in (select conversation_id from added)
      )
      ${INTO_JOBS}
      select ${CONVERSE}, conversation_id::text, tenant_id, instance_id::text, '-infinity'::timestamptz, now()
      from added where status = 'pending'
      ${OR_AGAIN}`;
