import { CONVERSE } from '../conversations/conversations.db.ts';
import { fragment, NOW, sql } from '../platform/db/sql.ts';
import { INTO_JOBS, OR_AGAIN } from '../platform/queue/jobs.db.ts';
import type { Channel } from './channel-endpoints.contract.ts';
import type { MessageStatus } from './channel-messages.contract.ts';
import { TRIED_FOR } from './inbox.db.ts';

export interface ChannelMessageRow {
  id: string;
  channel: Channel;
  message_id: string;
  external_id: string;
  instance_id: string;
  endpoint_id: string;
  status: MessageStatus;
  attempts: number;
  last_error: string | null;
  received_at: Date;
  finished_at: Date | null;
}

const columns = fragment(`m.id, m.channel, m.message_id, m.external_id, m.instance_id, m.endpoint_id,
  case m.status when 'handled' then 'delivered' else m.status end as status, m.attempts, m.received_at,
  m.finished_at`);

export const listChannelMessages = (status: MessageStatus | null, limit: number, offset: number) =>
  sql<ChannelMessageRow & { total: number }>`
    select ${columns}, count(*) over () as total,
           case when m.status = 'pending' and c.mode = 'human' then 'A person has the conversation'
                when m.status = 'pending' and c.onboarding_flow_id is not null then 'Its sender is being asked the onboarding steps'
                when m.status = 'pending' and c.away_until > ${NOW} then 'It is outside business hours'
                else m.last_error end as last_error
    from channel_messages m left join conversations c on c.id = m.conversation_id
    where m.direction = 'in' and m.endpoint_id is not null
      and (${status}::text is null or m.status = ${status === 'delivered' ? 'handled' : status})
    order by m.received_at desc, m.number desc limit ${limit} offset ${offset}`;

/** Stops the statements behind it with 404 unless the tenant has the message. */
export const channelMessageExists = (id: string) =>
  sql`select must_exist(exists (select from channel_messages where id = ${id}), 'Channel message')`;

/** Stops the statements behind it with 409 where a dead message has nothing left to forward. */
export const messageIsKept = (id: string) =>
  sql`select must_hold(not exists (
        select from channel_messages
        where id = ${id} and status = 'dead' and sealed_content is null and text is null and raw is null),
        'The content of the message was erased')`;

/**
 * Puts a dead message back (`id`), or all that wait for an endpoint (`endpoint_id`), into the conversation that its endpoint
 * means now, and enqueues that. Comes after a change of the endpoint, because waiting messages follow it.
 * @returns the messages; none where the message is not dead
 */
export const placeMessages = ({ id, endpoint_id }: { id?: string; endpoint_id?: string }) =>
  sql<ChannelMessageRow>`
    with waiting as materialized (
      select m.id, m.status, e.tenant_id, e.instance_id, e.id as endpoint_id, m.channel, m.external_id, m.received_at,
             coalesce(e.customer_id, case when i.hosting_mode = 'dedicated' then i.customer_id end) as customer_id,
             coalesce(o.phone, case when m.external_id ~ '^[+]?[0-9]+$' then m.external_id end) as phone, o.display_name
      from channel_messages m join channel_endpoints e on e.id = m.endpoint_id join instances i on i.id = e.instance_id
      left join conversations o on o.id = m.conversation_id
      where (m.id = ${id} and m.status = 'dead') or (m.endpoint_id = ${endpoint_id} and m.status = 'pending')
    ), talked as (
      insert into conversations as c
        (tenant_id, instance_id, customer_id, channel, external_id, endpoint_id, phone, display_name, last_message_at, last_in_at,
         is_unanswered)
      select distinct on (customer_id, channel, external_id)
        tenant_id, instance_id, customer_id, channel, external_id, endpoint_id, phone, display_name, received_at, received_at, true
      from waiting where customer_id is not null order by customer_id, channel, external_id, received_at desc
      on conflict (instance_id, customer_id, channel, external_id) do update set endpoint_id = excluded.endpoint_id, is_unanswered = true,
        phone = coalesce(c.phone, excluded.phone), display_name = coalesce(c.display_name, excluded.display_name)
      returning id, customer_id, channel, external_id
    ), placed as (
      update channel_messages m set status = 'pending', give_up_at = greatest(give_up_at, ${NOW}::timestamptz + ${TRIED_FOR}),
        finished_at = null, last_error = null, instance_id = w.instance_id, conversation_id = t.id, burst = null,
        change = nextval('message_changes')
      from waiting w join talked t using (customer_id, channel, external_id)
      where m.id = w.id and m.status = w.status
      returning m.tenant_id, m.conversation_id, m.last_error, ${columns}
    ), enqueued as (
      ${INTO_JOBS}
      select distinct ${CONVERSE}, conversation_id::text, tenant_id, instance_id::text, '-infinity'::timestamptz, now()
      from placed order by 2
      ${OR_AGAIN}
    )
    select ${columns}, m.last_error from placed m`;
