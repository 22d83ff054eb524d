import type { Move } from '../instances/moves.db.ts';
import { NOW, sql } from '../platform/db/sql.ts';
import { DEFAULT_CLUSTER } from './clusters.db.ts';

/** As its moves carry it out. */
interface Drain {
  to_cluster: string | null;
  is_forced: boolean;
}

/** undefined: its task belongs to none any more. In the tenant's scope. */
export const findDrainOf = (task_id: string) =>
  sql<Drain>`
    select d.to_cluster, d.is_forced from cluster_drains d join tasks k on k.fleet_id = d.id where k.id = ${task_id}`.first();

/** Its runtimes cannot be ended. */
export const isAway = (host_id: string) =>
  sql`select from clusters where host_id = ${host_id} and reachable = false`.exists();

// The statements below run in the system scope.

/** Stops later statements with 409 unless the cluster's instances can move away. */
export const mayDrain = (id: string, { to_cluster, is_forced }: Drain) => sql`
  select must_hold(${is_forced} or c.reachable is distinct from false,
           'The cluster is out of reach: with force its instances start elsewhere, and their runtimes are left behind'),
         must_hold(${to_cluster} is distinct from c.id, 'The instances are there already'),
         must_hold(t.is_active is distinct from false, 'The cluster that they should go to takes no instances'),
         must_hold(t.id is null or t.region_id is null or c.region_id is null or t.region_id = c.region_id,
           'The cluster that they should go to serves another region'),
         must_hold(t.id is not null or c.region_id is null or exists (
             select from clusters o where o.region_id = c.region_id and o.is_active and o.id <> c.id),
           'The region has no other active cluster: name one')
  from clusters c left join clusters t on t.id = ${to_cluster} where c.id = ${id}`;

/** Deploys choose others. */
export const closeCluster = (id: string) =>
  sql`update clusters set is_active = false, updated_at = greatest(updated_at, ${NOW})
      where id = ${id} and id <> ${DEFAULT_CLUSTER} and is_active`;

/** A drain under way goes on with what is said now. */
export const insertDrain = (id: string, cluster_id: string, { to_cluster, is_forced }: Drain) =>
  sql<Move>`
    insert into cluster_drains as d (id, cluster_id, to_cluster, is_forced, created_at)
    values (${id}, ${cluster_id}, ${to_cluster}, ${is_forced}, ${NOW})
    on conflict (cluster_id) do update set to_cluster = excluded.to_cluster, is_forced = d.is_forced or excluded.is_forced,
      created_at = excluded.created_at
    returning id, cluster_id, to_cluster, created_at`.one();

/** One at a time adds to it, or admits its tasks. undefined: it is over. */
export const lockDrain = (cluster_id: string) =>
  sql<Move>`
    select id, cluster_id, to_cluster, created_at from cluster_drains where cluster_id = ${cluster_id} for update`.first();

export const deleteDrain = (id: string) => sql`delete from cluster_drains where id = ${id}`;
