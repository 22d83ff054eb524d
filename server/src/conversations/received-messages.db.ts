import { fragment, NOW, sql } from '../platform/db/sql.ts';
import { enqueueAdded, TRIED_MINUTES } from './append.db.ts';
import type { ConversationKind } from './conversations.db.ts';
import type { MessageAuthor } from './messages.contract.ts';

/** Stored only if the secret that signed it is still the endpoint's. */
export interface NewChannelMessage {
  /** Index of its delivery in the group; `outdated` refers to it. */
  delivery: number;
  id: string;
  endpoint_id: string;
  /** Hex. */
  app_secret_hash: string;
  message_id: string;
  external_id: string;
  /** Phone number and name are null when the channel does not send them. */
  phone: string | null;
  display_name: string | null;
  kind: string;
  direction: 'in' | 'out';
  author: MessageAuthor;
  /** `sent` for words of a colleague on the phone; `handled` for what no runtime gets. */
  status: 'pending' | 'handled' | 'sent';
  /** Why it is not forwarded. */
  reason: string | null;
  conversation_kind: ConversationKind;
  /** As the channel tells; null when it does not. */
  sent_at: Date | null;
  sealed_content: Buffer;
  /** Keyed hash of the media id (media.ts), in hex; null without media. */
  media_hash: string | null;
}

export interface Stored {
  stored: number;
  duplicates: number;
  /** Deliveries with a skipped message, because its endpoint was deleted or has another secret now. */
  outdated: number[];
}

const NO_CUSTOMER = fragment(
  `'The number belongs to no customer of the shared instance: set customer_id of its channel endpoint'`,
);

/** A tenant without room still keeps contents of this size, about that of the row, so that their messages can be retried. */
const KEPT_WITHOUT_ROOM = 4096;

/**
 * Stores messages and enqueues the jobs of their conversations, in one statement. Runs in the system scope: messages may be
 * for several tenants. append.sql explains the order of locks and numbers.
 */
export const insertMessages = (messages: readonly NewChannelMessage[]) =>
  sql<Stored>`
    with incoming as materialized (
      select m.*, m.ordinality as position from rows from (
        jsonb_to_recordset(${JSON.stringify(withPlaces(messages))}::jsonb)
        as (delivery integer, id uuid, endpoint_id uuid, app_secret_hash text, message_id text, external_id text,
            phone text, display_name text, kind text, direction text, author text, status text, reason text,
            conversation_kind text, sent_at timestamptz, content_at integer, content_length integer, media_hash text)) with ordinality m
    ), addressed as materialized (
      select i.*, e.tenant_id, e.instance_id, e.channel,
             coalesce(e.customer_id, case when n.hosting_mode = 'dedicated' then n.customer_id end) as customer_id
      from incoming i
      left join channel_endpoints e on e.id = i.endpoint_id and e.app_secret_hash = decode(i.app_secret_hash, 'hex')
      left join instances n on n.id = e.instance_id
    ), new as materialized (
      select distinct on (endpoint_id, message_id) * from addressed a
      where tenant_id is not null and not is_stored(endpoint_id, message_id)
        -- Without a customer only a message to the agent waits for one.
        and (customer_id is not null or status = 'pending')
        -- An echo of a message that we sent ourselves.
        and not (direction = 'out' and exists (
          select from conversation_addresses t join channel_messages s on s.conversation_id = t.conversation_id
          where t.customer_id = a.customer_id and t.instance_id = a.instance_id and t.channel = a.channel
            and t.address_key in (address_key(a.external_id), address_key(a.phone)) and a.message_id = any (s.channel_ids)))
      order by endpoint_id, message_id, position
    ), full_tenants as materialized (
      select tenant_id from (select distinct tenant_id from new) t where not has_room(tenant_id)
    ), placed as (
      select n.*, case
        when status = 'pending' and tenant_id in (select tenant_id from full_tenants) then limit_refusal(tenant_id, 'stored_mib')
        when customer_id is null then ${NO_CUSTOMER}
      end as dead_because
      from new n
    ), added as materialized (
      select * from append_messages((
        select coalesce(jsonb_agg(jsonb_build_object(
          'id', id, 'customer_id', customer_id, 'tenant_id', tenant_id, 'instance_id', instance_id, 'endpoint_id', endpoint_id,
          'channel', channel, 'message_id', message_id, 'external_id', external_id, 'phone', phone,
          'display_name', display_name, 'direction', direction, 'author', author, 'kind', kind, 'sent_at', sent_at,
          'conversation_kind', conversation_kind,
          'media_hash', media_hash,
          'tried_minutes', ${TRIED_MINUTES}::int, 'status', case when dead_because is null then status else 'dead' end,
          'reason', coalesce(dead_because, reason),
          'content_at', content_at, 'content_length', case
            when content_length <= ${KEPT_WITHOUT_ROOM}::int or tenant_id not in (select tenant_id from full_tenants) then content_length
          end) order by position), '[]')
        from placed),
        ${Buffer.concat(messages.map(({ sealed_content }) => sealed_content))}, ${NOW})
    ), ${enqueueAdded}
    select count(*)::int as stored,
           (select count(*) from addressed where tenant_id is not null)::int - count(*)::int as duplicates,
           array(select distinct delivery from addressed where tenant_id is null) as outdated
    from added`.one();

/** All contents travel as one bytea; each message has its offset and length. Base64 in JSON would be a third larger. */
function withPlaces(messages: readonly NewChannelMessage[]): object[] {
  let content_at = 1;
  return messages.map(({ sealed_content: { length: content_length }, ...rest }) => {
    const placed = { ...rest, content_at, content_length };
    content_at += content_length;
    return placed;
  });
}
