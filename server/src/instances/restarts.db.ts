import { fragment, NOW, sql } from '../platform/db/sql.ts';
import { enqueueAll } from '../platform/queue/jobs.db.ts';
import { IS_WAITING } from './tasks.db.ts';

/** True from its first step on. */
export const isRestarting = (instance_id: string) =>
  sql`select from tasks
      where instance_id = ${instance_id} and kind in ('restart', 'move') and status in ('running', 'canceling') limit 1`.exists();

/** True once per task. In the transaction of the renewal. */
export const claimRenewal = (task_id: string) =>
  sql`update tasks set has_renewed = true where id = ${task_id} and not has_renewed returning id`.exists();

/** A waiting restart gives way to a request for the instance, which makes it needless. */
export const cancelWaitingRestart = (instance_id: string) =>
  sql`update tasks set status = 'canceled', error = 'Another request came first', finished_at = ${NOW},
        updated_at = greatest(updated_at, ${NOW})
      where instance_id = ${instance_id} and ${IS_WAITING}`;

// The statements below run in the system scope.

/** null: any. */
export interface FleetFilter {
  cluster_id: string | null;
  manifest_id: string | null;
  tenant_id: string | null;
}

/** Stops later statements with 404 for an unknown id. */
export const filterExists = ({ cluster_id, manifest_id, tenant_id }: FleetFilter) => sql`
  select must_exist(${cluster_id}::text is null or exists (select from clusters where id = ${cluster_id}), 'Cluster'),
         must_exist(${manifest_id}::text is null or exists (select from manifests where id = ${manifest_id}), 'Manifest'),
         must_exist(${tenant_id}::uuid is null or exists (select from tenants where id = ${tenant_id}), 'Tenant')`;

export const insertFleet = (
  id: string,
  at_once: number,
  { cluster_id, manifest_id, tenant_id }: FleetFilter,
) =>
  sql`insert into fleet_restarts (id, at_once, cluster_id, manifest_id, of_tenant, created_at)
      values (${id}, ${at_once}, ${cluster_id}, ${manifest_id}, ${tenant_id}, ${NOW})`;

/** One at a time adds to a fleet, or admits its tasks. undefined: it is over. */
export const lockFleet = (id: string) =>
  sql<{ at_once: number }>`select at_once from fleet_restarts where id = ${id} for update`.first();

/**
 * `places` and `added`: waiting tasks for the instances of `page`, of the fleet of `adding (fleet_id, at)`. Each tenant has
 * turns of its own, from 1, so that tenants alternate. Skips instances that another task is at work on.
 */
export const tasksInTurn = (kind: 'restart' | 'move') =>
  fragment(`places as (
    select tenant_id, max(turn) as last from tasks
    where fleet_id = (select fleet_id from adding) and ${IS_WAITING.text} group by tenant_id
  ), added as (
    insert into tasks (tenant_id, instance_id, kind, fleet_id, turn, created_at, updated_at)
    select p.tenant_id, p.id, '${kind}', a.fleet_id,
           coalesce(o.last, 0) + row_number() over (partition by p.tenant_id order by p.id), a.at, a.at
    from adding a cross join page p left join places o using (tenant_id)
    on conflict do nothing
    returning id
  )`);

/**
 * Adds waiting tasks for the next 1,000 running instances that match, in the order of their ids. Call it after lockFleet.
 */
export const extendFleet = (id: string) =>
  sql<{ is_whole: boolean; added: number }>`
  with fleet as (
    select * from fleet_restarts where id = ${id} and not is_whole
  ), page as materialized (
    select i.id, i.tenant_id from instances i
    where i.status = 'running' and i.id > (select after from fleet)
      and ((select cluster_id from fleet) is null or i.cluster_id = (select cluster_id from fleet))
      and ((select manifest_id from fleet) is null or i.applied_manifest_id = (select manifest_id from fleet))
      and ((select of_tenant from fleet) is null or i.tenant_id = (select of_tenant from fleet))
      and exists (select from tenants t where t.id = i.tenant_id and t.is_active)
    order by i.id limit 1000 for no key update of i
  ), adding as (
    select ${id}::uuid as fleet_id, ${NOW}::timestamptz as at
  ), ${tasksInTurn('restart')}
  update fleet_restarts set is_whole = not exists (select from page),
    after = coalesce((select id from page order by id desc limit 1), after)
  where id = ${id} returning is_whole, (select count(*)::int from added) as added`.first();

/** Suspended tenants have no runtimes, and their jobs rest. */
export const dropSuspended = (id: string) =>
  sql`update tasks k set status = 'canceled', error = 'The tenant is inactive', finished_at = ${NOW},
        updated_at = greatest(k.updated_at, ${NOW})
      where fleet_id = ${id} and ${IS_WAITING}
        and not exists (select from tenants t where t.id = k.tenant_id and t.is_active)`;

/** Enqueues as many waiting tasks as may begin now, tenants in turn. One transaction at a time. */
export const admitFleet = (id: string, at_once: number) => sql`
  with begun as (
    select count(*) as number from tasks k join tenants t on t.id = k.tenant_id and t.is_active
    where fleet_id = ${id} and status in ('queued', 'running', 'canceling') and not ${IS_WAITING}
  ), next as (
    select id from tasks where fleet_id = ${id} and ${IS_WAITING} order by turn, tenant_id
    limit greatest(0, ${at_once}::integer - (select number from begun))
    for update
  ), admitted as (
    update tasks k set turn = null from next where k.id = next.id returning k.id, k.tenant_id
  )
  ${enqueueAll('run_task', `select id, tenant_id, 'default' from admitted`)}`;

/** Once no task of it waits. True: it is over. */
export const endFleet = (id: string) =>
  sql`delete from fleet_restarts
      where id = ${id} and is_whole and not exists (select from tasks where fleet_id = ${id} and ${IS_WAITING})
      returning id`.exists();
