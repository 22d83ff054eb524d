import { NOW, sql } from '../platform/db/sql.ts';
import { enqueueAll } from '../platform/queue/jobs.db.ts';
import { CONVERSE } from './conversations.db.ts';

/**
 * Moves a dead message (`id`) or all waiting messages of an endpoint (`endpoint_id`) into the conversation that the
 * endpoint's current instance and customer have with the sender, and enqueues its job.
 * @returns the messages' ids; empty when the message is not dead
 */
export const placeMessages = ({ id, endpoint_id }: { id?: string; endpoint_id?: string }) =>
  sql<{ id: string }>`
    with waiting as materialized (
      select m.id, m.status, e.tenant_id, e.instance_id, e.id as endpoint_id, m.channel, m.external_id, m.received_at,
             coalesce(m.sent_at, m.received_at) as written_at,
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
        tenant_id, instance_id, customer_id, channel, external_id, endpoint_id, phone, display_name, received_at, written_at, true
      from waiting where customer_id is not null order by customer_id, channel, external_id, received_at desc
      on conflict (instance_id, customer_id, channel, external_id) do update set endpoint_id = excluded.endpoint_id, is_unanswered = true,
        phone = coalesce(c.phone, excluded.phone), display_name = coalesce(c.display_name, excluded.display_name)
      returning id, customer_id, channel, external_id
    ), placed as (
      update channel_messages m set status = 'pending', give_up_at = greatest(give_up_at, ${NOW}::timestamptz + interval '24 hours'),
        finished_at = null, last_error = null, instance_id = w.instance_id, conversation_id = t.id, burst = null,
        change = nextval('message_changes')
      from waiting w join talked t using (customer_id, channel, external_id)
      where m.id = w.id and m.status = w.status
      returning m.id, m.tenant_id, m.conversation_id, m.instance_id
    ), enqueued as (
      ${enqueueAll(CONVERSE, 'select conversation_id, tenant_id, instance_id from placed')}
    )
    select id from placed`.each(({ id }) => id);

/** Deletes waiting and dead messages. */
export const dropWaitingOf = (endpoint_id: string) =>
  sql`delete from channel_messages where endpoint_id = ${endpoint_id} and status in ('pending', 'dead')`;
