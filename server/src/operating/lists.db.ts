import { Model } from '../catalogue/models.contract.ts';
import { RegionDetail } from '../catalogue/regions.contract.ts';
import { Tier } from '../catalogue/tiers.contract.ts';
import { instanceColumns } from '../instances/instances.db.ts';
import type { TaskStatus } from '../instances/tasks.contract.ts';
import { taskColumns } from '../instances/tasks.db.ts';
import { columnsOf, type RowOf } from '../platform/db/rows.ts';
import { fragment, sql } from '../platform/db/sql.ts';
import type {
  AuthorityKey,
  ByTenantAndStatus,
  Host,
  InstanceFilter,
  OperatorInstance,
  OperatorMessage,
  OperatorMessageStatus,
  OperatorTask,
} from './lists.contract.ts';

// All statements of this file run in the system scope.

type Counted<Row> = Row & { total: number };

export const listAllTiers = (limit: number, offset: number) =>
  sql<Counted<RowOf<typeof Tier>>>`
    select ${columnsOf(Tier)}, count(*) over () as total from tiers
    order by created_at desc, id limit ${limit} offset ${offset}`;

export const listAllRegions = (limit: number, offset: number) =>
  sql<Counted<RowOf<typeof RegionDetail>>>`
    select ${columnsOf(RegionDetail)}, count(*) over () as total from regions
    order by created_at desc, id limit ${limit} offset ${offset}`;

export const listAllModels = (limit: number, offset: number) =>
  sql<Counted<RowOf<typeof Model>>>`
    select ${columnsOf(Model)}, count(*) over () as total from models
    order by created_at desc, model_id limit ${limit} offset ${offset}`;

export const listHosts = (limit: number, offset: number) =>
  sql<Counted<RowOf<typeof Host>>>`
    select id, case when seen_at > now() - interval '30 seconds' then 'alive' else 'dead' end as state, seen_at,
           (select count(*)::int from runtime_states where host_id = h.id) as instances, count(*) over () as total
    from runtime_hosts h order by seen_at desc, id limit ${limit} offset ${offset}`;

export const listAllInstances = (
  { tenant_id, status, cluster_id }: InstanceFilter,
  limit: number,
  offset: number,
) =>
  sql<Counted<RowOf<typeof OperatorInstance>>>`
    select ${instanceColumns}, (select host_id from runtime_states where instance_id = id) as host_id, count(*) over () as total from instances
    where (${tenant_id}::uuid is null or tenant_id = ${tenant_id}) and (${status}::text is null or status = ${status})
      and (${cluster_id}::text is null or cluster_id = ${cluster_id})
    order by created_at desc, id limit ${limit} offset ${offset}`;

export const listAllTasks = (
  { tenant_id, status }: ByTenantAndStatus<TaskStatus>,
  limit: number,
  offset: number,
) =>
  sql<Counted<RowOf<typeof OperatorTask>>>`
    select tenant_id, ${taskColumns}, count(*) over () as total from tasks
    where (${tenant_id}::uuid is null or tenant_id = ${tenant_id}) and (${status}::text is null or status = ${status})
    order by created_at desc, id limit ${limit} offset ${offset}`;

const messageColumns = fragment(`id, tenant_id, instance_id, conversation_id, direction, channel,
  case status when 'handled' then 'delivered' else status end as status, attempts,
  case direction when 'in' then last_error else error end as last_error, received_at, finished_at`);

type MessageRow = Counted<RowOf<typeof OperatorMessage>>;
type MessageFilter = ByTenantAndStatus<OperatorMessageStatus>;

/** Waiting and abandoned messages. The explicit conditions make PostgreSQL use the partial index of each status. */
export const listOpenMessages = ({ tenant_id, status }: MessageFilter, limit: number, offset: number) =>
  sql<MessageRow>`
    with open as materialized (
      select * from channel_messages
      where (status = 'pending' or status = 'queued' or status = 'dead' or status = 'failed')
        and status = ${status} and (${tenant_id}::uuid is null or tenant_id = ${tenant_id})
      limit 10000
    )
    select ${messageColumns}, count(*) over ()::int as total from open
    order by received_at desc, id limit ${limit} offset ${offset}`;

/** All messages, or those in a common status; per tenant, because the index begins with the tenant. */
export const listAllMessages = ({ tenant_id, status }: MessageFilter, limit: number, offset: number) =>
  sql<MessageRow>`
    with newest as materialized (
      select m.* from tenants t cross join lateral (
        select * from channel_messages
        where tenant_id = t.id and (${status}::text is null or status = any(
          case when ${status} = 'delivered' then array['handled', 'delivered'] else array[${status}] end))
        order by received_at desc limit 10000) m
      where ${tenant_id}::uuid is null or t.id = ${tenant_id}
      order by m.received_at desc limit 10000
    )
    select ${messageColumns}, count(*) over ()::int as total from newest
    order by received_at desc, id limit ${limit} offset ${offset}`;

export const listAuthorityKeys = (limit: number, offset: number) =>
  sql<Counted<RowOf<typeof AuthorityKey>>>`
    select id, kind, serial, issued_by, sealed_private_key is not null as is_kept_here, not_before, not_after, retired_at,
           created_at, count(*) over () as total
    from ca_keys order by retired_at desc nulls first, created_at desc, id limit ${limit} offset ${offset}`;
