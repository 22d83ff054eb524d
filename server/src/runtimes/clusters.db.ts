import type { RowOf } from '../platform/db/rows.ts';
import { fragment, json, NOW, sql } from '../platform/db/sql.ts';
import type { Cluster, ClusterDetail, ClusterPut } from './clusters.contract.ts';

// The statements of this file run in the system scope.

type ClusterRow = RowOf<typeof Cluster>;
type ClusterDetailRow = RowOf<typeof ClusterDetail>;

/** Serves every region that has no active cluster. */
export const DEFAULT_CLUSTER = 'default';

const columns = fragment(`c.id, c.region_id, c.engine, c.is_active, c.max_instances,
  (select count(*)::int from instances i where i.cluster_id = c.id and i.status <> 'terminated') as instances,
  c.reachable, c.last_seen_at, case when c.lease_until > now() then c.lease_holder end as lease_holder`);
const detailColumns = fragment(
  `${columns.text}, c.endpoint, c.sealed_credentials is not null as has_credentials, c.options, c.created_at, c.updated_at`,
);

export const listClusters = (limit: number, offset: number) =>
  sql<ClusterRow & { total: number }>`
    select ${columns}, count(*) over () as total from clusters c
    order by c.created_at desc, c.id limit ${limit} offset ${offset}`;

export const findCluster = (id: string) =>
  sql<ClusterDetailRow>`select ${detailColumns} from clusters c where c.id = ${id}`.first();

/** Waits for deploys that have chosen it, and lets others wait, until the transaction ends. */
export const lockCluster = (id: string) => sql`select from clusters where id = ${id} for update`;

/** Stops later statements with 409 while the cluster has instances. In a transaction that has it locked. */
export const clusterIsFree = (id: string, otherwise = 'The cluster has instances') =>
  sql`select must_hold(
        not exists (select from instances where cluster_id = ${id} and status <> 'terminated'), ${otherwise})`;

/** Like clusterIsFree, unless the cluster keeps its engine and region. */
export const clusterMayBecome = (
  id: string,
  { engine, region_id }: Pick<ClusterPut, 'engine' | 'region_id'>,
) =>
  sql`select must_hold(
        not exists (select from clusters where id = ${id} and (engine, region_id) <> (${engine}, ${region_id}))
          or not exists (select from instances where cluster_id = ${id} and status <> 'terminated'),
        'The cluster has instances: its engine and region stay')`;

export const clusterExists = (id: string) =>
  sql`select must_exist(exists (select from clusters where id = ${id}), 'Cluster')`;

export const regionExists = (id: string) =>
  sql`select must_exist(exists (select from regions where id = ${id}), 'Region')`;

/** Fields with another engine than before have their defaults. @param sealed undefined: the credentials stay */
export const putCluster = (id: string, given: Omit<ClusterPut, 'credentials'>, sealed?: Buffer | null) => {
  const { region_id, engine, is_active = null, max_instances, endpoint, options } = given;
  const stays = fragment('c.engine = excluded.engine and');
  return sql<ClusterDetailRow & { is_new: boolean }>`
    insert into clusters as c
      (id, host_id, region_id, engine, is_active, max_instances, endpoint, sealed_credentials, options)
    values (${id}, gen_random_uuid(), ${region_id}, ${engine}, coalesce(${is_active}, true), ${max_instances ?? null},
      ${endpoint ?? null}, ${sealed ?? null}, ${json(options ?? {})})
    on conflict (id) do update set
      region_id = excluded.region_id, engine = excluded.engine, is_active = coalesce(${is_active}, c.is_active),
      max_instances = case when ${max_instances === undefined} then c.max_instances else excluded.max_instances end,
      endpoint = case when ${stays} ${endpoint === undefined} then c.endpoint else excluded.endpoint end,
      sealed_credentials = case when ${stays} ${sealed === undefined} then c.sealed_credentials
        else excluded.sealed_credentials end,
      options = case when ${stays} ${options === undefined} then c.options else excluded.options end,
      updated_at = greatest(c.updated_at, ${NOW})
    returning ${detailColumns}, c.xmax = 0 as is_new`.one();
};

export const findDefaultEngine = () =>
  sql<{ engine: string }>`select engine from clusters where id = ${DEFAULT_CLUSTER}`
    .one()
    .map(({ engine }) => engine);

/** A copy that reconciles it with the other engine loses its lease. */
export const changeDefaultEngine = (engine: 'process' | 'docker' | 'kubernetes') =>
  sql`update clusters set engine = ${engine}, updated_at = greatest(updated_at, ${NOW}),
        host_id = case when ${engine} <> 'process' then gen_random_uuid() end,
        lease_holder = null, lease_until = null
      where id = ${DEFAULT_CLUSTER} and engine <> ${engine}`;

export const deleteCluster = (id: string) => sql`delete from clusters where id = ${id}`;
