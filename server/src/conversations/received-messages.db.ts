import { fragment, NOW, sql } from '../platform/db/sql.ts';
import { INTO_JOBS, OR_AGAIN } from '../platform/queue/jobs.db.ts';
import { CONVERSE } from './conversations.db.ts';
import { SERVED_BY } from './served-by.db.ts';

/** How long delivery of a message is tried (contract, section 7). */
export const TRIED_FOR = fragment(`interval '24 hours'`);

/** A message to be stored for an endpoint, as long as the secret that signed it is the endpoint's. */
export interface NewChannelMessage {
  /** Position of its delivery in the group, by which the result names it. */
  delivery: number;
  id: string;
  endpoint_id: string;
  /** Hex. */
  app_secret_hash: string;
  message_id: string;
  external_id: string;
  /** The sender's phone number and name, where the channel tells them. */
  phone: string | null;
  display_name: string | null;
  kind: string;
  sealed_content: Buffer;
  /** Finds the message by the id of its medium, in hex; null without one. */
  media_hash: string | null;
}

export interface Stored {
  /** New messages. */
  stored: number;
  /** Messages that were there already. */
  duplicates: number;
  /** Deliveries with a message whose endpoint is gone or has another secret by now. Such a message is left out. */
  outdated: number[];
}

const NO_CUSTOMER = fragment(
  `'The number belongs to no customer of the shared instance: set customer_id of its channel endpoint'`,
);

/**
 * Stores messages in their order, finds or makes their conversations and enqueues those of the new ones, in one statement
 * (in the system scope: messages may be for several tenants). The conversations are locked first and in one order, so that
 * two calls don't wait for each other, and a message gets its number only then, so that numbers are committed in order.
 */
export const insertMessages = (messages: readonly NewChannelMessage[]) =>
  sql<Stored>`
    with incoming as materialized (
      select m.*, m.ordinality as position from rows from (
        jsonb_to_recordset(${JSON.stringify(withPlaces(messages))}::jsonb)
        as (delivery integer, id uuid, endpoint_id uuid, app_secret_hash text, message_id text, external_id text,
            phone text, display_name text, kind text, content_at integer, content_length integer,
            media_hash text)) with ordinality m
    ), addressed as materialized (
      select i.*, e.tenant_id, e.instance_id, e.channel,
             coalesce(e.customer_id, case when n.hosting_mode = 'dedicated' then n.customer_id end) as customer_id
      from incoming i
      left join channel_endpoints e on e.id = i.endpoint_id and e.app_secret_hash = decode(i.app_secret_hash, 'hex')
      left join instances n on n.id = e.instance_id
    ), new as materialized (
      select distinct on (endpoint_id, message_id) * from addressed
      where tenant_id is not null and not is_stored(endpoint_id, message_id)
      order by endpoint_id, message_id, position
    ), talked as (
      insert into conversations as c (tenant_id, instance_id, customer_id, channel, external_id, endpoint_id, phone,
                                      display_name, last_message_at, last_in_at, is_unanswered)
      select tenant_id, instance_id, customer_id, channel, external_id,
             (array_agg(endpoint_id order by position desc))[1],
             (array_agg(phone order by position desc) filter (where phone is not null))[1],
             (array_agg(display_name order by position desc) filter (where display_name is not null))[1],
             ${NOW}::timestamptz, ${NOW}::timestamptz, true
      from new where customer_id is not null
      group by tenant_id, instance_id, customer_id, channel, external_id
      order by instance_id, customer_id, channel, external_id
      on conflict (instance_id, customer_id, channel, external_id) do update set
        endpoint_id = excluded.endpoint_id, phone = coalesce(excluded.phone, c.phone),
        display_name = coalesce(excluded.display_name, c.display_name),
        last_message_at = excluded.last_message_at, last_in_at = excluded.last_in_at, is_unanswered = true,
        erased_at = null
      returning id, instance_id, customer_id, channel, external_id
    ), stored as (
      insert into channel_messages
        (number, id, tenant_id, conversation_id, endpoint_id, instance_id, channel, message_id, external_id, kind,
         sealed_content, media_hash, status, last_error, received_at, give_up_at, finished_at, erase_at)
      select nextval('channel_message_numbers'), s.*
      from (
        select c.id, c.tenant_id, t.id, c.endpoint_id, c.instance_id, c.channel, c.message_id, c.external_id, c.kind,
               substring(${Buffer.concat(messages.map(({ sealed_content }) => sealed_content))}::bytea
                 from c.content_at for c.content_length),
               decode(c.media_hash, 'hex'), case when c.customer_id is null then 'dead' else 'pending' end,
               case when c.customer_id is null then ${NO_CUSTOMER} end,
               ${NOW}::timestamptz, ${NOW}::timestamptz + ${TRIED_FOR},
               case when c.customer_id is null then ${NOW}::timestamptz end,
               ${NOW}::timestamptz + coalesce(nullif(d.retention_days, 0), 7) * interval '1 day'
        from new c
        left join talked t on t.instance_id = c.instance_id and t.customer_id = c.customer_id and t.channel = c.channel
                          and t.external_id = c.external_id
        ${SERVED_BY}
        order by c.position) s
      on conflict on constraint channel_messages_once do nothing
      returning tenant_id, conversation_id, instance_id, status
    ), enqueued as (
      ${INTO_JOBS}
      select distinct ${CONVERSE}, conversation_id::text, tenant_id, instance_id::text, '-infinity'::timestamptz, now()
      from stored where status = 'pending' order by 2
      ${OR_AGAIN}
    )
    select count(*)::int as stored,
           (select count(*) from addressed where tenant_id is not null)::int - count(*)::int as duplicates,
           array(select distinct delivery from addressed where tenant_id is null) as outdated
    from stored`.one();

/** The messages with the places of their contents in all contents one behind the other: as JSON they would be a third larger. */
function withPlaces(messages: readonly NewChannelMessage[]): object[] {
  let content_at = 1;
  return messages.map(({ sealed_content: { length: content_length }, ...rest }) => {
    const placed = { ...rest, content_at, content_length };
    content_at += content_length;
    return placed;
  });
}
