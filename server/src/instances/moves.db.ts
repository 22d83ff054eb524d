import { NOW, sql } from '../platform/db/sql.ts';
import { tasksInTurn } from './restarts.db.ts';
import { IS_WAITING } from './tasks.db.ts';

/** A cluster's instances that move away. */
export interface Move {
  /** The drain's, and the fleet_id of its tasks. */
  id: string;
  cluster_id: string;
  /** null: for each instance another active cluster of its region. */
  to_cluster: string | null;
  created_at: Date;
}

/**
 * Adds waiting tasks for the next 1,000 instances that have none of this drain yet, tenants in turn. In the system
 * scope. @returns `rest`: others have still to follow, because another task is at work on them
 */
export const extendMoves = ({ id, cluster_id, to_cluster, created_at }: Move) =>
  sql<{ added: number; rest: boolean }>`
  with candidates as (
    select i.id, i.tenant_id, i.status in ('running', 'stopped', 'failed') and not exists (
        select from tasks k where k.tenant_id = i.tenant_id and k.instance_id = i.id and k.kind not in ('join', 'leave')
          and k.status in ('queued', 'running', 'canceling')) as is_idle
    from instances i
    where i.cluster_id = ${cluster_id} and i.status <> 'terminated' and i.created_at <= ${created_at}
      and exists (select from tenants t where t.id = i.tenant_id and t.is_active)
      and exists (select from clusters c where c.region_id is null and c.id = ${to_cluster}
        or c.region_id = i.region_id and (c.id = ${to_cluster} or ${to_cluster}::text is null and c.is_active and c.id <> ${cluster_id}))
      and not exists (select from tasks k where k.tenant_id = i.tenant_id and k.instance_id = i.id and k.fleet_id = ${id} and k.status <> 'canceled')
  ), page as materialized (
    select i.id, i.tenant_id from instances i join candidates c using (id) where c.is_idle
    order by i.id limit 1000 for no key update of i
  ), adding as (
    select ${id}::uuid as fleet_id, ${NOW}::timestamptz as at
  ), ${tasksInTurn('move')}
  select (select count(*)::int from added) as added,
         (select count(*) from candidates) > (select count(*) from added) as rest`.one();

/** A drain's. In the system scope. */
export const countMoves = (id: string) =>
  sql<{ unfinished: number; failed: number }>`
    select count(*) filter (where status in ('queued', 'running', 'canceling'))::int as unfinished,
           count(*) filter (where status = 'failed')::int as failed
    from tasks where kind = 'move' and fleet_id = ${id}`.one();

/** Those whose turn has not come. In the system scope. */
export const cancelWaitingMoves = (id: string, error: string) =>
  sql`update tasks set status = 'canceled', error = ${error}, finished_at = ${NOW}, updated_at = greatest(updated_at, ${NOW})
      where fleet_id = ${id} and ${IS_WAITING}`;

/**
 * Puts the instance into another cluster: `to`, or one of its region with room. Stops later statements with 409 where none has
 * room. Once per task; in its transaction that has the instance locked.
 */
export const moveInstance = (task_id: string, to: string | null) =>
  sql`with claimed as (
        update tasks k set moved_from = i.cluster_id from instances i
        where k.id = ${task_id} and i.id = k.instance_id and k.moved_from is null
        returning k.instance_id, k.moved_from
      )
      update instances i set cluster_id = place_elsewhere(c.moved_from, i.region_id, ${to})
      from claimed c where i.id = c.instance_id`;

/** Back to the cluster of before, unless that is gone or out of reach. */
export const moveBack = (task_id: string) =>
  sql`update instances i set cluster_id = c.id
      from tasks k join clusters c on c.id = k.moved_from and c.reachable is distinct from false
      where k.id = ${task_id} and i.id = k.instance_id`;
