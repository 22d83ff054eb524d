import { NOW, sql } from '../platform/db/sql.ts';
import type { Counts } from './overview.contract.ts';

/** Days before its end from which a certificate or connection is expiring (contract, section 10). */
export const EXPIRING_DAYS = 42;

type Some<Name extends keyof Counts> = Required<Pick<Counts, Name>>;

/** `instances`: only statuses that occur. */
export const countInstances = () =>
  sql<{ instances: Partial<Counts['instances']> } & Some<'outdated_instances' | 'running_tasks'>>`
    select (select coalesce(json_object_agg(status, n), '{}')
            from (select status, count(*) as n from instances group by status) s) as instances,
           (select count(*)::int from recipes r join instances i on i.recipe_id = r.id and i.recipe_revision < r.revision
            where r.deleted_at is null and i.status <> 'terminated') as outdated_instances,
           (select count(*)::int from tasks where status = 'running') as running_tasks`.one();

/** A scan of the index by the last message makes the count of all cheap; see listConversations. */
export const countConversations = () =>
  sql<Some<'conversations' | 'human_conversations' | 'waiting_conversations' | 'failed_messages'>>`
    select (select count(*)::int from (select from conversations order by last_message_at desc, id) c) as conversations,
           count(*)::int as human_conversations,
           (count(*) filter (where is_unanswered and exists (
             select from channel_messages
             where conversation_id = c.id and author = 'sender' and number > c.answered_number)))::int as waiting_conversations,
           (select count(*)::int from channel_messages where status = 'failed') as failed_messages
    from conversations c where mode = 'human'`.one();

/** The messages that list_channel_messages has. */
export const countChannels = () =>
  sql<Some<'dead_messages' | 'channel_endpoints'>>`
    select (select count(*)::int from channel_messages where status = 'dead' and endpoint_id is not null) as dead_messages,
           coalesce((select used::int from tenant_counts where name = 'channel_endpoints'), 0) as channel_endpoints`.one();

export const countConnections = () =>
  sql<Some<'expiring_connections' | 'expired_connections'>>`
    select (count(*) filter (where status = 'active'))::int as expiring_connections,
           (count(*) filter (where status = 'expired'))::int as expired_connections
    from (
      select connection_status(c, ${NOW}) as status from connections c
      where revoked_at is null and (expires_at is not null or refused_at is not null)
        and (expires_at <= ${NOW}::timestamptz + ${EXPIRING_DAYS}::int * interval '1 day' or refused_at is not null)) c`.one();

export const countApprovals = () =>
  sql<Some<'waiting_approvals'>>`
    select count(*)::int as waiting_approvals from approvals where status = 'waiting' and expires_at > ${NOW}`.one();

export const countCustomers = () =>
  sql<Some<'customers'>>`
    select coalesce((select used::int from tenant_counts where name = 'customers'), 0) as customers`.one();

export const countRecipes = () =>
  sql<Some<'recipes'>>`
    select coalesce((select used::int from tenant_counts where name = 'recipes'), 0) as recipes`.one();

/** Single calls are kept for longer than a month. */
export const sumMonth = () =>
  sql<Some<'month'>['month']>`
    select to_char(m.begins, 'YYYY-MM-DD') as from, limit_of(current_tenant(), 'monthly_cost')::float8 as limit,
           count(l.id)::float8 as calls, count(l.id) filter (where l.cost is null)::float8 as unpriced_calls,
           case when count(l.id) = 0 then '0' else trim_scale(sum(l.cost))::text end as cost
    from (select date_trunc('month', ${NOW}::timestamptz at time zone 'UTC') as begins) m
    left join llm_calls l on l.at >= m.begins at time zone 'UTC' and l.status <> 'running'
    group by m.begins`.one();
