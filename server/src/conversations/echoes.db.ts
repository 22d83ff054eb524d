import { NOW, sql } from '../platform/db/sql.ts';
import { type ConfigLayers, layersOf } from './config-layers.db.ts';
import { SERVED_BY } from './served-by.db.ts';

const LAYERS = layersOf('channel_config');

export const findEchoConfig = (conversation_id: string) =>
  sql<ConfigLayers>`
    select ${LAYERS}
    from conversations c join customers u on u.id = c.customer_id join tenants t on t.id = c.tenant_id ${SERVED_BY}
    where c.id = ${conversation_id}`.first();

/**
 * A colleague's message answers what the sender had written before it, and the runtime does not get that. Requires
 * holdConversation. @param id the message's
 */
export const answeredByEcho = (id: string) =>
  sql`with answered as (
        select e.conversation_id, max(m.number) as number
        from channel_messages e join channel_messages m on m.conversation_id = e.conversation_id
          and m.direction = 'in' and m.number < e.number
          and coalesce(m.sent_at, m.received_at) < coalesce(e.sent_at, e.received_at) + interval '1 second'
        where e.id = ${id} and e.kind not in ('revoke', 'reaction') group by e.conversation_id
      )
      update conversations c set answered_number = greatest(c.answered_number, a.number),
        ended_number = greatest(c.answered_number, c.ended_number, a.number),
        is_unanswered = exists (
          select from channel_messages
          where conversation_id = c.id and author = 'sender' and number > greatest(c.answered_number, a.number))
      from answered a where c.id = a.conversation_id`;

/**
 * Mode `human` until so many minutes after a colleague's message. Never shortens what a person has chosen. Does nothing in
 * groups, where no agent answers, with 0 minutes, and for templates, which no colleague types. @param id the message's
 */
export const takeByChannel = (id: string, minutes: number) =>
  sql`update conversations c set mode = 'human', joins_waiting = true,
        human_since = case when c.mode = 'human' then coalesce(c.human_since, ${NOW}::timestamptz) else ${NOW} end,
        human_until = case when c.mode = 'agent' then t.until when c.human_until is not null
                           then greatest(c.human_until, t.until, t.at + c.human_for) end,
        taken_by_kind = case when c.mode = 'agent' or c.human_for is not null then coalesce(c.taken_by_kind, 'channel')
                             else c.taken_by_kind end
      from (
        select conversation_id, at, at + ${minutes}::int * interval '1 minute' as until
        from channel_messages m cross join lateral (select coalesce(m.sent_at, m.received_at) as at) written
        where id = ${id} and kind <> 'template') t
      where c.id = t.conversation_id and c.kind = 'direct' and ${minutes}::int > 0 and t.until > ${NOW}`;

/**
 * Erases a message that its writer has deleted, in the same conversation and of the same author; one that waits is not
 * forwarded. @param id the notice's @param channel_id the deleted message's
 */
export const revokeMessage = (id: string, channel_id: string) =>
  sql`update channel_messages m set sealed_content = null, change = nextval('message_changes'),
        status = case m.status when 'pending' then 'handled' else m.status end,
        finished_at = coalesce(m.finished_at, ${NOW}),
        last_error = case m.direction when 'in' then 'Its writer has deleted it' else m.last_error end,
        error = case m.direction when 'out' then 'Its writer has deleted it' else m.error end
      from channel_messages n
      where n.id = ${id} and m.conversation_id = n.conversation_id and m.author = n.author
        and (m.message_id = ${channel_id} or ${channel_id} = any (m.channel_ids)) and m.id <> n.id
        and m.status <> 'queued'`;
