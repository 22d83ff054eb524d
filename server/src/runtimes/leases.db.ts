import { fragment, json, sql } from '../platform/db/sql.ts';
import type { HeldCluster, Place } from './place.port.ts';

/** A lease that ends later than one can be given is of a time before the clock was set back. */
const IS_FREE = fragment(
  `(lease_holder is null or lease_until is null or lease_until <= now() or lease_until > now() + interval '30 seconds')`,
);
const LEASE_ENDS = fragment(`now() + interval '20 seconds'`);

const SETTINGS_HASH = fragment('md5(row(host_id, engine, endpoint, sealed_credentials, options)::text)');
const columns = fragment(
  `id, host_id, engine, endpoint, sealed_credentials, options, ${SETTINGS_HASH.text} as settings_hash,
   (select i.id from installation i) as installation`,
);

/** In the system scope. */
export const listClusterSettings = () =>
  sql<HeldCluster>`select ${columns} from clusters where host_id is not null order by id`;

export interface Sight {
  /** Stands for the settings with which the cluster was looked for. */
  settings_hash: string;
  /** null: not known yet. */
  reachable: boolean | null;
}

/**
 * Renews the leases of a copy (in the system scope).
 * @param sights by the ids of its clusters
 * @returns the clusters that it still has
 */
export const renewLeases = (holder: string, sights: Readonly<Record<string, Sight>>) =>
  sql<HeldCluster>`
    with seen as (
      select c.id, (s.sight ->> 'reachable')::boolean as reachable
      from jsonb_each(${json(sights)}) as s (id, sight) join clusters c on c.id = s.id
      where s.sight ->> 'settings_hash' = ${SETTINGS_HASH}
    )
    update clusters set lease_until = ${LEASE_ENDS},
      reachable = coalesce((select s.reachable from seen s where s.id = clusters.id), reachable),
      last_seen_at = case when (select s.reachable from seen s where s.id = clusters.id) then now() else last_seen_at end
    where lease_holder = ${holder}
    returning ${columns}`;

/** Excludes the transactions of `keepLease`. */
const LOCK = fragment(`pg_try_advisory_xact_lock(hashtextextended('lease ' || host_id, 0))`);

/** @param only the ids of clusters that the copy may take; null: any @returns a cluster that no copy had */
export const takeLease = (holder: string, only: readonly string[] | null) =>
  sql<HeldCluster>`
    update clusters set lease_holder = ${holder}, lease_until = ${LEASE_ENDS}
    where id = (
        select id from clusters
        where host_id is not null and (${only}::text[] is null or id = any(${only}::text[])) and ${IS_FREE}
        order by lease_until nulls first limit 1 for update skip locked)
      and ${LOCK}
    returning ${columns}`.first();

/** Other copies may take its clusters at once. */
export const giveLeasesBack = (holder: string) =>
  sql`update clusters set lease_holder = null, lease_until = null where lease_holder = ${holder}`;

/** In the system scope. */
export const hasLease = ({ host_id, holder }: Place) =>
  sql<{ is_held: boolean }>`select has_lease(${host_id}, ${holder}) as is_held`
    .one()
    .map(({ is_held }) => is_held);

/** Until the end of the transaction no copy takes the place's lease. */
export const keepLease = ({ host_id }: Place) =>
  sql`select pg_advisory_xact_lock_shared(hashtextextended('lease ' || ${host_id}::text, 0))`;
