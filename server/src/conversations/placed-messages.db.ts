import { fragment, NOW, sql } from '../platform/db/sql.ts';
import { enqueueAll } from '../platform/queue/jobs.db.ts';
import { CONVERSE } from './conversations.db.ts';

/** A dead message (`id`), or all waiting messages of an endpoint (`endpoint_id`). */
interface Placed {
  id?: string;
  endpoint_id?: string;
}

/** With the instance and customer that the endpoint has now. */
const placed = fragment(`
  select m.id, m.status, e.tenant_id, e.instance_id, e.id as endpoint_id, m.channel, m.external_id, m.received_at,
         coalesce(m.sent_at, m.received_at) as written_at, coalesce(e.customer_id, case when i.hosting_mode = 'dedicated' then i.customer_id end) as customer_id,
         coalesce(o.phone, case when m.external_id ~ '^[+]?[0-9]+$' then m.external_id end) as phone, o.display_name
  from channel_messages m join channel_endpoints e on e.id = m.endpoint_id join instances i on i.id = e.instance_id
  left join conversations o on o.id = m.conversation_id`);

/** Finds or begins the conversations that the endpoint's current instance and customer have with the senders. */
export const holdPlaces = ({ id, endpoint_id }: Placed) =>
  sql`select hold_senders(coalesce((
        select jsonb_agg(to_jsonb(p) - 'id' order by received_at) from (
          ${placed}
          where (m.id = ${id} and m.status = 'dead') or (m.endpoint_id = ${endpoint_id} and m.status = 'pending')) p), '[]'), ${NOW})`;

/**
 * Moves messages into these conversations, and enqueues their jobs. Requires holdPlaces.
 * @returns the messages' ids; empty when the message is not dead
 */
export const placeMessages = ({ id, endpoint_id }: Placed) =>
  sql<{ id: string }>`
    with waiting as materialized (
      select p.*, a.conversation_id from (
        ${placed}
        where (m.id = ${id} and m.status = 'dead') or (m.endpoint_id = ${endpoint_id} and m.status = 'pending')) p
      join conversation_addresses a on a.customer_id = p.customer_id and a.instance_id = p.instance_id
        and a.channel = p.channel and a.address_key = address_key(p.external_id)
    ), talked as (
      update conversations c set is_unanswered = true, last_in_at = greatest(c.last_in_at, w.written_at)
      from (select conversation_id, max(written_at) as written_at from waiting group by conversation_id) w
      where c.id = w.conversation_id
    ), placed as (
      update channel_messages m set status = 'pending', give_up_at = greatest(give_up_at, ${NOW}::timestamptz + interval '24 hours'),
        finished_at = null, last_error = null, instance_id = w.instance_id, conversation_id = w.conversation_id, burst = null,
        change = nextval('message_changes')
      from waiting w
      where m.id = w.id and m.status = w.status
      returning m.id, m.tenant_id, m.conversation_id, m.instance_id
    ), enqueued as (
      ${enqueueAll(CONVERSE, 'select conversation_id, tenant_id, instance_id from placed')}
    )
    select id from placed`.each(({ id }) => id);

/** Deletes waiting and dead messages. */
export const dropWaitingOf = (endpoint_id: string) =>
  sql`delete from channel_messages where endpoint_id = ${endpoint_id} and status in ('pending', 'dead')`;
