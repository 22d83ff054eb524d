import { SEND_MESSAGES } from '../conversations/messages.db.ts';
import { fragment, NOW, sql } from '../platform/db/sql.ts';
import { enqueueAll } from '../platform/queue/jobs.db.ts';

/** The oldest queued message of a conversation, with the number and connection to send it with. */
export interface QueuedMessage {
  id: string;
  kind: string;
  sealed_content: Buffer | null;
  parts_sent: number;
  /** Another message is queued after it. */
  has_next: boolean;
  /** Sends of the next part whose outcome is unknown. */
  open_sends: number;
  /** Until then, a delivery receipt may settle the last one of them; null once the time is over. */
  settles_until: Date | null;
  /** The end of the recipient's pause; null once it is over. */
  pair_until: Date | null;
  give_up_at: Date;
  error: string | null;
  external_id: string;
  phone: string | null;
  is_group: boolean;
  endpoint_id: string | null;
  /** The end of the number's last pause, if no request has succeeded since. */
  paused_until: Date | null;
  is_paused: boolean;
  /** How many messages of a paused number wait longer. */
  rank: number;
  /** null once the number was deleted. */
  phone_number_id: string | null;
  /** null: the default of the service. */
  base_url: string | null;
  /** null when the customer has no usable connection. */
  connection_id: string | null;
  sealed_credentials: Buffer | null;
  refused_at: Date | null;
  probe_at: Date | null;
}

const MOST_RANK = 1000;

/** Connections for a conversation `c` and its endpoint `e`. The first by CONNECTION_ORDER is used. */
export const USABLE_CONNECTIONS = fragment(`
  from connections
  where customer_id = c.customer_id and provider = 'chatapp' and revoked_at is null
    and (e.connection_name is null or name = e.connection_name)`);
export const CONNECTION_ORDER = fragment('order by refused_at is not null, created_at, id limit 1');

/** @param settles_seconds the time for a receipt after a send */
export const findQueuedMessage = (conversation_id: string, settles_seconds: number) =>
  sql<QueuedMessage>`
    select m.id, m.kind, m.sealed_content, m.parts_sent, exists (
             select from channel_messages
             where conversation_id = m.conversation_id and status = 'queued' and number > m.number) as has_next, m.open_sends, s.settles_until,
           case when m.pair_until > now() then m.pair_until end as pair_until, m.give_up_at, m.error,
           coalesce(a.address, c.external_id) as external_id, case when a.address is null then c.phone when a.is_phone then a.address end as phone,
           c.kind = 'group' as is_group, c.endpoint_id, p.until as paused_until, coalesce(p.until > now(), false) as is_paused,
           case when p.until > now() then (select count(*)::int from (
             select from channel_messages
             where endpoint_id = c.endpoint_id and status = 'queued' and number < m.number limit ${MOST_RANK}::int) older)
           else 0 end as rank, e.phone_number_id, r.chatapp_api_base_url as base_url,
           k.id as connection_id, k.sealed_credentials, k.refused_at, k.probe_at
    from channel_messages m
    join conversations c on c.id = m.conversation_id
    -- The number that the channel told last, else the user id: an address may be another sender's by now.
    left join lateral (
      select address, is_phone from conversation_addresses where conversation_id in (c.merged_into, c.id)
      order by is_phone desc, told_at desc limit 1) a on true
    join instances i on i.id = c.instance_id
    join regions r on r.id = i.region_id
    left join channel_endpoints e on e.id = c.endpoint_id
    left join number_pauses p on p.endpoint_id = c.endpoint_id
    left join lateral (
      select m.sending_at + ${settles_seconds}::int * interval '1 second' as settles_until) s on s.settles_until > now()
    left join lateral (
      select id, sealed_credentials, refused_at, probe_at ${USABLE_CONNECTIONS}
        and (expires_at is null or expires_at > ${NOW}) ${CONNECTION_ORDER}) k on true
    where m.id = (
      select id from channel_messages where conversation_id = ${conversation_id} and status = 'queued' order by number limit 1)`.first();

const enqueueWaiting = enqueueAll(
  SEND_MESSAGES,
  `select id, tenant_id, instance_id from talked c
   where exists (select from channel_messages where conversation_id = c.id and status = 'queued')`,
);

/** For credentials that work again. */
export const sendWaitingOfCustomer = (customer_id: string) =>
  sql`with talked as (select * from conversations where customer_id = ${customer_id}) ${enqueueWaiting}`;

/** For an endpoint with another connection. */
export const sendWaitingOf = (endpoint_id: string) =>
  sql`with talked as (select * from conversations where endpoint_id = ${endpoint_id}) ${enqueueWaiting}`;

/** Finds our message ids by the channel's id and the recipient, in the system scope. */
export const findReceiptMessages = (
  receipts: readonly { channel_id: string; recipient: string | null; endpoint_ids: readonly string[] }[],
) =>
  sql<{ channel_id: string; id: string }>`
    select r.channel_id, m.id
    from jsonb_to_recordset(${JSON.stringify(receipts)}::jsonb) as r (channel_id text, recipient text, endpoint_ids uuid[])
    join channel_endpoints e on e.id = any (r.endpoint_ids)
    join instances i on i.id = e.instance_id
    join conversation_addresses a on a.instance_id = e.instance_id and a.channel = e.channel and a.address_key = address_key(r.recipient)
      and a.customer_id = coalesce(e.customer_id, case when i.hosting_mode = 'dedicated' then i.customer_id end)
    join conversations c on c.customer_id = a.customer_id and c.instance_id = a.instance_id and c.channel = a.channel
      and a.conversation_id in (c.id, c.merged_into)
    join channel_messages m on m.conversation_id = c.id and m.direction = 'out' and r.channel_id = any (m.channel_ids)`;
