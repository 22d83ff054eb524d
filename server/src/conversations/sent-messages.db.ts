import { NOW, sql } from '../platform/db/sql.ts';
import { enqueueAll } from '../platform/queue/jobs.db.ts';
import { SEND_MESSAGES } from './messages.db.ts';

/** One part of a message. */
export interface Part {
  id: string;
  /** From 0. */
  part: number;
  parts: number;
}

/** Notes that a part is being sent: if this process dies now, nobody knows whether it was. False when it is not its turn. */
export const beginSending = ({ id, part, parts }: Part) =>
  sql`update channel_messages set sending_at = ${NOW}, parts = ${parts}, attempts = attempts + 1
      where id = ${id} and status = 'queued' and parts_sent = ${part}
      returning id`.exists();

/** A part was taken, unless a receipt has said so already; with the last one the message is sent. */
export const partSent = ({ id, part, parts }: Part, channel_id: string | null) =>
  sql`update channel_messages set
        channel_ids = case when ${channel_id} = any(channel_ids) then channel_ids else array_remove(channel_ids || ${channel_id}::text, null) end,
        parts_sent = greatest(parts_sent, ${part + 1}::int), sending_at = null, error = null,
        status = case when ${part + 1 === parts} then 'sent' else status end,
        finished_at = case when ${part + 1 === parts} then ${NOW}::timestamptz end,
        change = case when ${part + 1 === parts} then nextval('message_changes') else change end
      where id = ${id} and status = 'queued' and parts_sent <= ${part + 1}::int`;

/** A part was not taken, and is tried again. */
export const sendingFailed = (id: string, error: string) =>
  sql`update channel_messages set sending_at = null, error = ${error}, change = nextval('message_changes')
      where id = ${id} and status = 'queued'`;

/** Nobody knows whether a part was taken: `sending_at` stays. */
export const sendingUnknown = (id: string, error: string) =>
  sql`update channel_messages set error = ${error}, change = nextval('message_changes') where id = ${id} and status = 'queued'`;

export const failMessage = (id: string, error: string) =>
  sql`update channel_messages set status = 'failed', error = ${error}, sending_at = null, finished_at = ${NOW},
        change = nextval('message_changes')
      where id = ${id} and status = 'queued'`;

/** A delivery receipt of the channel about an outgoing message. */
export interface ResolvedReceipt {
  /** Our id of the message, which came back. */
  id: string;
  /** The channel's id of the part that it took. */
  channel_id: string;
  endpoint_ids: readonly string[];
  status: 'sent' | 'delivered' | 'read' | 'failed';
  error: string | null;
}

/**
 * Holds the conversations of messages (in the system scope), in the order of append_messages, so that changes are committed
 * in their order.
 */
export const holdConversationsOf = (receipts: readonly ResolvedReceipt[]) =>
  sql`select c.id from conversations c
      where c.id in (select conversation_id from channel_messages where id = any(${receipts.map(({ id }) => id)}::uuid[]))
      order by c.instance_id, c.customer_id, c.channel, c.external_id for no key update`;

/**
 * Moves outgoing messages on (in the system scope): queued, sent, delivered, read; failed where it was not delivered. The
 * furthest receipt of a payload counts. A receipt of a part that was not known to be taken says that it was; with more parts to
 * send the message stays queued. A receipt counts only for messages of the numbers whose secret signed it. @returns how many
 * moved
 */
export const applyReceipts = (receipts: readonly ResolvedReceipt[]) =>
  sql<{ moved: number }>`
    with received as (
      select distinct on (id) id, channel_id, endpoint_ids, status, error, rank from (
        select r.*, array_position(array['failed', 'sent', 'delivered', 'read'], status) as rank
        from jsonb_to_recordset(${JSON.stringify(receipts)}::jsonb)
          as r (id uuid, channel_id text, endpoint_ids uuid[], status text, error text)) ranked
      order by id, status = 'sent', rank desc
    ), judged as (
      select m.id, r.channel_id, r.error, m.status = 'queued' as is_taken,
             case when m.status = 'queued' and r.rank > 1 and m.parts_sent + 1 < m.parts then 'queued' else r.status end as status
      from received r join channel_messages m on m.id = r.id
      where m.direction = 'out' and m.endpoint_id = any(r.endpoint_ids)
        and case m.status when 'queued' then r.rank = 1 or r.channel_id <> all (m.channel_ids)
                          when 'sent' then r.rank <> 2 when 'delivered' then r.rank = 4 end
      for no key update of m
    ), moved as (
      update channel_messages m set status = j.status, error = j.error, sending_at = null, change = nextval('message_changes'),
        parts_sent = m.parts_sent + j.is_taken::int,
        channel_ids = case when j.is_taken then m.channel_ids || j.channel_id else m.channel_ids end,
        finished_at = case when j.status <> 'queued' then coalesce(m.finished_at, ${NOW}) end
      from judged j where m.id = j.id
      returning m.conversation_id, m.tenant_id, m.instance_id
    ), enqueued as (
      ${enqueueAll(SEND_MESSAGES, 'select conversation_id, tenant_id, instance_id from moved')}
    )
    select count(*)::int as moved from moved`
    .one()
    .map(({ moved }) => moved);
