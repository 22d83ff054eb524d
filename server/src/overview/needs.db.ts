import type { RowOf } from '../platform/db/rows.ts';
import { fragment, NOW, type Query, sql } from '../platform/db/sql.ts';
import type { Need } from './overview.contract.ts';
import { EXPIRING_DAYS } from './overview.db.ts';

/** Each statement finds the most urgent case of a kind: that which ends first, then the one that has waited longest. */
export type Case = Omit<RowOf<typeof Need>, 'kind' | 'count'>;
/** @param isNamed shows the e-mail address of customers without a name */
export type FindCase = (isNamed: boolean) => Query<Case | undefined>;

/** The columns that a case `w` has. */
const place = fragment(`w.id, w.since, w.until, w.instance_id, w.customer_id,
  (select hostname from instances where id = w.instance_id) as hostname`);

/** The name or address of a conversation `c`. */
const sender =
  fragment(`coalesce(c.display_name, (select display_name from identities where id = c.identity_id), c.phone,
  c.began_with, c.external_id)`);

export const findWaitingConversation: FindCase = (isNamed) =>
  sql<Case>`
    select ${place}, (select ${sender} from conversations c where c.id = w.id) as title, w.detail,
           customer_name_of(w.customer_id, ${isNamed}) as customer_name
    from (
      select c.id, c.instance_id, c.customer_id, c.channel as detail, m.since,
             service_window_ends(c.channel, c.last_in_at, c.created_at) as until
      from conversations c
      cross join lateral (
        select min(coalesce(sent_at, received_at)) as since from channel_messages
        where conversation_id = c.id and author = 'sender' and number > c.answered_number) m
      where c.mode = 'human' and c.is_unanswered and m.since is not null
      order by until, m.since, c.id limit 1) w`.first();

export const findWaitingApproval: FindCase = (isNamed) =>
  sql<Case>`
    select ${place}, w.tool as title, (select ${sender} from conversations c where c.id = w.conversation_id) as detail,
           customer_name_of(w.customer_id, ${isNamed}) as customer_name
    from (
      select id, instance_id, customer_id, conversation_id, tool, requested_at as since, expires_at as until from approvals
      where status = 'waiting' and expires_at > ${NOW} order by expires_at, requested_at, id limit 1) w`.first();

export const findFailedInstance: FindCase = (isNamed) =>
  sql<Case>`
    select ${place}, w.title,
           (select message from instance_events e where e.instance_id = w.id and "to" = 'failed' order by e.id desc limit 1) as detail,
           customer_name_of(w.customer_id, ${isNamed}) as customer_name
    from (
      select id, id as instance_id, customer_id, hostname as title, updated_at as since, null::timestamptz as until from instances
      where status = 'failed' order by updated_at, id limit 1) w`.first();

export const findExpiredConnection: FindCase = (isNamed) =>
  sql<Case>`
    select ${place}, w.title, w.detail,
           customer_name_of(w.customer_id, ${isNamed}) as customer_name
    from (
      select c.id, null::uuid as instance_id, c.customer_id, coalesce(c.name, c.provider) as title,
             coalesce(c.last_error, c.provider) as detail, least(c.expires_at, c.refused_at) as since, c.expires_at as until
      from connections c
      where c.revoked_at is null and (c.expires_at is not null or c.refused_at is not null)
        and connection_status(c, ${NOW}) = 'expired'
      order by until, since, c.id limit 1) w`.first();

export const findFailedMessage: FindCase = (isNamed) =>
  sql<Case>`
    select w.conversation_id as id, w.since, null::timestamptz as until, w.instance_id, c.customer_id,
           (select hostname from instances where id = w.instance_id) as hostname, ${sender} as title, w.error as detail,
           customer_name_of(c.customer_id, ${isNamed}) as customer_name
    from (
      select conversation_id, instance_id, error, received_at as since from channel_messages
      where status = 'failed' order by received_at, id limit 1) w
    join conversations c on c.id = w.conversation_id`.first();

export const findDeadMessage: FindCase = (isNamed) =>
  sql<Case>`
    select w.id, w.since, null::timestamptz as until, w.instance_id, c.customer_id,
           (select hostname from instances where id = w.instance_id) as hostname,
           coalesce(${sender}, w.external_id) as title, w.last_error as detail,
           customer_name_of(c.customer_id, ${isNamed}) as customer_name
    from (
      select id, conversation_id, instance_id, external_id, last_error, received_at as since from channel_messages
      where status = 'dead' and endpoint_id is not null order by received_at, id limit 1) w
    left join conversations c on c.id = w.conversation_id`.first();

export const findExpiringConnection: FindCase = (isNamed) =>
  sql<Case>`
    select ${place}, w.title, w.detail,
           customer_name_of(w.customer_id, ${isNamed}) as customer_name
    from (
      select id, null::uuid as instance_id, customer_id, coalesce(name, provider) as title, provider as detail,
             null::timestamptz as since, expires_at as until
      from connections
      where revoked_at is null and refused_at is null and expires_at > ${NOW}
        and expires_at <= ${NOW}::timestamptz + ${EXPIRING_DAYS}::int * interval '1 day'
      order by expires_at, created_at, id limit 1) w`.first();
