import { LIMIT_NAMES, type LimitName } from '../access/tenants.contract.ts';
import { NOW, sql } from '../platform/db/sql.ts';

interface LimitRow {
  name: LimitName;
  limit: number | null;
  used: number | null;
}

/** In the order of the names. Counted rows have their count already; the others are counted now. */
export const listLimits = () =>
  sql<LimitRow>`
    select name, limit_of(current_tenant(), name)::float8 as limit, (case name
      when 'monthly_cost' then (
        select coalesce(sum(cost), 0) from llm_spending
        where month = date_trunc('month', ${NOW}::timestamptz at time zone 'UTC')::date
          and customer_id is null and instance_id is null)
      when 'starting' then (select count(*) from tasks where kind = 'provision' and status = 'running')
      when 'revisions_kept' then (
        select coalesce(max(least(revision, limit_of(current_tenant(), name))), 0) from recipes
        where tenant_id = current_tenant() and deleted_at is null)
      when 'conversations_stored' then (select count(*) from conversations)
      when 'sender_messages' then (
        select coalesce(max(received), 0) from (
          select count(*) as received from channel_messages
          where received_at > ${NOW}::timestamptz - interval '10 minutes' and direction = 'in' and author = 'sender'
          group by conversation_id) senders)
      when 'stored_mib' then (select coalesce(round(max(bytes) / 1048576.0, 1), 0) from stored_bytes)
      when 'drive_reads_at_once' then null
      when 'streams' then null
      else (select coalesce(max(used), 0) from tenant_counts c where c.name = wanted.name) end)::float8 as used
    from unnest(${LIMIT_NAMES}::text[]) with ordinality wanted (name, place) order by place`;
