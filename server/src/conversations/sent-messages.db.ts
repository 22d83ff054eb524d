import { NOW, sql } from '../platform/db/sql.ts';
import { enqueueAll } from '../platform/queue/jobs.db.ts';
import { SEND_MESSAGES } from './messages.db.ts';

export interface Part {
  id: string;
  /** From 0. */
  part: number;
  parts: number;
}

/** Recorded before the request: after a crash, the outcome is unknown. False when another part is next. */
export const beginSending = ({ id, part, parts }: Part) =>
  sql`update channel_messages set sending_at = now(), open_sends = open_sends + 1, parts = ${parts}, attempts = attempts + 1
      where id = ${id} and status = 'queued' and parts_sent = ${part}
      returning id`.exists();

/** The channel has taken a part; a receipt may have reported it before. After the last part, the message is `sent`. */
export const partSent = ({ id, part, parts }: Part, channel_id: string | null) =>
  sql`update channel_messages set
        channel_ids = case when ${channel_id} = any(channel_ids) then channel_ids else array_remove(channel_ids || ${channel_id}::text, null) end,
        parts_sent = greatest(parts_sent, ${part + 1}::int), sending_at = null, open_sends = 0, error = null,
        pair_seconds = null, status = case when ${part + 1 === parts} then 'sent' else status end,
        finished_at = case when ${part + 1 === parts} then ${NOW}::timestamptz end,
        change = case when ${part + 1 === parts} or error is not null then nextval('message_changes') else change end
      where id = ${id} and status = 'queued' and parts_sent <= ${part + 1}::int`;

/** The channel did not take a part; it is retried. What was unknown of earlier sends stays so. */
export const sendingFailed = (id: string, error: string) =>
  sql`update channel_messages set sending_at = null, open_sends = greatest(open_sends - 1, 0), error = ${error},
        change = nextval('message_changes')
      where id = ${id} and status = 'queued'`;

/** In seconds, longer than the pauses of a number. */
const PAIR_PAUSE = { first: 60, most: 600 };

/**
 * The channel limits what the recipient gets from the number. Each such answer without a given length doubles the pause.
 * @param pause_ms as the channel says; null when it does not
 */
export const pairLimited = (id: string, error: string, pause_ms: number | null) =>
  sql`update channel_messages m set sending_at = null, open_sends = greatest(open_sends - 1, 0), error = ${error},
        change = nextval('message_changes'), pair_seconds = p.seconds,
        pair_until = now() + coalesce(${pause_ms}::float8 / 1000, p.seconds) * interval '1 second'
      from (select least(coalesce(2 * pair_seconds, ${PAIR_PAUSE.first}::int), ${PAIR_PAUSE.most}::int) as seconds
            from channel_messages where id = ${id}) p
      where m.id = ${id} and status = 'queued'`;

/** Nothing was sent. */
export const sendingWaits = (id: string, error: string) =>
  sql`update channel_messages set error = ${error}, change = nextval('message_changes') where id = ${id} and status = 'queued'`;

/** From now on a receipt may settle it. */
export const sendingUnknown = (id: string, error: string) =>
  sql`update channel_messages set sending_at = now(), error = ${error}, change = nextval('message_changes')
      where id = ${id} and status = 'queued'`;

export const failMessage = (id: string, error: string) =>
  sql`update channel_messages set status = 'failed', error = ${error}, sending_at = null, finished_at = ${NOW},
        change = nextval('message_changes')
      where id = ${id} and status = 'queued'`;

/** A delivery receipt with the id of our message. */
export interface ResolvedReceipt {
  id: string;
  /** The channel's id of a part. */
  channel_id: string;
  endpoint_ids: readonly string[];
  status: 'sent' | 'delivered' | 'read' | 'failed';
  error: string | null;
}

/**
 * Locks conversations, in the system scope, so that changes are committed in order. The order of the locks is that of
 * append_messages, so that both cannot deadlock.
 */
export const holdConversationsOf = (receipts: readonly ResolvedReceipt[]) =>
  sql`select c.id from conversations c
      where c.id in (select conversation_id from channel_messages where id = any(${receipts.map(({ id }) => id)}::uuid[]))
      order by c.instance_id, c.customer_id, c.channel, c.external_id for no key update`;

/**
 * Advances the status of outgoing messages, in the system scope: queued, sent, delivered, read; or failed. Of several
 * receipts, the furthest counts. A receipt for a part with an unknown outcome means that the channel took it; while more
 * parts follow, the message stays queued. `endpoint_ids` are the numbers whose secret signed the receipt; it applies to their
 * messages only. @returns how many changed
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
      update channel_messages m set status = j.status, error = j.error, sending_at = null, open_sends = 0, change = nextval('message_changes'),
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
