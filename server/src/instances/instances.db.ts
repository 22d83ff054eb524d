import type { Static } from 'typebox';
import type { HostingMode, InstanceStatus } from '../catalogue/hosting.contract.ts';
import { fragment, json, NOW, sql, wireTime } from '../platform/db/sql.ts';
import type { JsonObject } from '../platform/json/json-object.ts';
import type { RuntimeState } from './runtime-state.contract.ts';

export interface InstanceRow {
  id: string;
  tenant_id: string;
  /** null: the customer was erased. */
  customer_id: string | null;
  recipe_id: string;
  recipe_revision: number;
  template_name: string;
  tier_id: string;
  region_id: string;
  cluster_id: string;
  hostname: string;
  hosting_mode: HostingMode;
  shared_node_capacity: number;
  deployment_count: number;
  manifest_id: string | null;
  status: InstanceStatus;
  tunnel_address: string | null;
  runtime: Static<typeof RuntimeState>;
  created_at: Date;
  updated_at: Date;
}

/** For calls to an instance's runtime. */
export interface InstanceRuntimeRow {
  id: string;
  sealed_message_secret: Buffer | null;
  tunnel_address: string | null;
  runtime_address: string | null;
  chatapp_api_base_url: string | null;
  /** The manifest's program and its arguments; null: the engine's default. */
  command: string[] | null;
  /** The manifest's image, where containers run; null: the engine's default. */
  image: string | null;
  internet: boolean;
  /** The engine of its cluster. */
  engine: string;
  /** The service's own image, where runtimes are containers. */
  is_built_in: boolean;
}

export interface NewInstance {
  id: string;
  tenant_id: string;
  customer_id: string;
  recipe_id: string;
  recipe_revision: number;
  template_name: string;
  tier_id: string;
  region_id: string;
  hostname: string;
  hosting_mode: HostingMode;
  manifest_id: string | null;
  capacity: number;
  resolved_config: object;
  provenance: object;
  effects: object;
  applied_manifest_id: string;
}

export const instanceColumns =
  fragment(`id, tenant_id, customer_id, recipe_id, recipe_revision, template_name, tier_id, region_id,
  cluster_id, hostname, hosting_mode, capacity as shared_node_capacity, placed as deployment_count, manifest_id, status,
  host(tunnel_address) as tunnel_address, created_at, updated_at,
  (select json_build_object('state', state, 'reason', reason, 'restarts', restarts, 'generation', generation,
                            'since', ${wireTime('since')})
   from runtime_states where instance_id = id) as runtime`);

/** In the system scope. */
export const findInstanceTenant = (id: string) =>
  sql<{ tenant_id: string }>`select tenant_id from instances where id = ${id}`
    .first()
    .map((row) => row?.tenant_id);

/** Stops later statements with 404 unless the tenant has the instance. */
export const instanceExists = (id: string) =>
  sql`select must_exist(exists (select from instances where id = ${id}), 'Instance')`;

export const findInstance = (id: string) =>
  sql<InstanceRow>`select ${instanceColumns} from instances where id = ${id}`.first();

/** The configuration that an instance was deployed with. */
interface DeployedInstance extends Pick<InstanceRow, 'id' | 'customer_id' | 'recipe_id' | 'recipe_revision'> {
  resolved_config: JsonObject;
}

export const findDeployedInstance = (id: string) =>
  sql<DeployedInstance>`
    select id, customer_id, recipe_id, recipe_revision, resolved_config from instances where id = ${id}`.first();

/** For a cluster `place` and a manifest `m`: a container of the service's own image. */
export const IS_BUILT_IN = fragment(
  `(place.engine <> 'process' and (m.image is null or m.id = 'reference'))`,
);

/** True for a runtime that has no way out, so that the service does for it what needs one (contract, section 19). */
export const isBuiltIn = (id: string) =>
  sql`select from instances i join clusters place on place.id = i.cluster_id
        left join manifests m on m.id = i.applied_manifest_id
      where i.id = ${id} and ${IS_BUILT_IN}`.exists();

export const findInstanceRuntime = (id: string) =>
  sql<InstanceRuntimeRow>`
    select i.id, i.sealed_message_secret, host(i.tunnel_address) as tunnel_address, s.address as runtime_address,
           r.chatapp_api_base_url, m.command, coalesce(m.internet, false) as internet, place.engine,
           case when place.engine <> 'process' then m.image end as image, ${IS_BUILT_IN} as is_built_in
    from instances i join runtime_states s on s.instance_id = i.id join regions r on r.id = i.region_id
      join clusters place on place.id = i.cluster_id left join manifests m on m.id = i.applied_manifest_id
    where i.id = ${id}`.first();

/** By an instance that is not terminated, in any case of letters. */
export const isHostnameInUse = (hostname: string) =>
  sql`select from instances where lower(hostname) = lower(${hostname}) and status <> 'terminated'`.exists();

/** Violates `AC409` where no cluster of the region has room. */
export const insertInstance = (i: NewInstance) =>
  sql`insert into instances (id, tenant_id, customer_id, recipe_id, recipe_revision, template_name, tier_id, region_id,
        cluster_id, hostname, hosting_mode, manifest_id, capacity, resolved_config, provenance,
        effects, applied_manifest_id)
      values (${i.id}, ${i.tenant_id}, ${i.customer_id}, ${i.recipe_id}, ${i.recipe_revision}, ${i.template_name},
        ${i.tier_id}, ${i.region_id}, place_instance(${i.region_id}), ${i.hostname}, ${i.hosting_mode}, ${i.manifest_id}, ${i.capacity},
        ${json(i.resolved_config)}, ${json(i.provenance)}, ${json(i.effects)}, ${i.applied_manifest_id})`;

/** Serializes deploys of a recipe revision to a region: otherwise each of the first ones would create a shared instance. */
export const lockPlacement = (recipe_id: string, revision: number, region_id: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`${recipe_id} ${revision} ${region_id}`}, 0))`;

/**
 * Takes a place on the oldest shared instance with room. Excludes those whose unfinished tasks will stop, upgrade or undo
 * them, because their status shows that later. @returns the instance's id; undefined: none has room
 */
export const joinSharedInstance = (wanted: {
  recipe_id: string;
  recipe_revision: number;
  region_id: string;
  tier_id: string;
  manifest_id: string | null;
  applied_manifest_id: string;
}) =>
  sql<{ id: string }>`
    update instances set placed = placed + 1
    where id = (
      select id from instances i
      where hosting_mode = 'shared' and status in ('pending', 'provisioning', 'running') and placed < capacity
        and recipe_id = ${wanted.recipe_id} and recipe_revision = ${wanted.recipe_revision}
        and region_id = ${wanted.region_id} and tier_id = ${wanted.tier_id}
        and manifest_id is not distinct from ${wanted.manifest_id}
        and applied_manifest_id = ${wanted.applied_manifest_id}
        and not exists (
          select from tasks t where t.tenant_id = i.tenant_id and t.instance_id = i.id
            and (t.kind = 'stop' and t.status in ('queued', 'running')
              or t.kind = 'provision' and t.status = 'canceling'
              or t.kind = 'upgrade' and t.status in ('queued', 'running', 'canceling')))
      order by created_at, id limit 1 for update)
    returning id`
    .first()
    .map((row) => row?.id);

/** Changes the status and writes the event. False when the status is not one of `from`. */
export const moveInstance = (
  id: string,
  move: { from: readonly InstanceStatus[]; to: InstanceStatus; message: string | null },
) =>
  sql`with old as (
        select id, status from instances where id = ${id} and status = any (${move.from}) for update
      ), moved as (
        update instances i set status = ${move.to}, updated_at = greatest(i.updated_at, ${NOW})
        from old where i.id = old.id
        returning i.id, i.tenant_id, old.status as was
      )
      insert into instance_events (tenant_id, instance_id, at, "from", "to", message)
      select tenant_id, id, ${NOW}, was, ${move.to}, ${move.message} from moved
      returning id`.exists();

/** Until the transaction ends. @returns the status; undefined: no such instance */
export const lockInstance = (id: string) =>
  sql<{ status: InstanceStatus }>`select status from instances where id = ${id} for update`
    .first()
    .map((row) => row?.status);

/** Sets the message secret and the tunnel address. Idempotent. */
export const allocate = (id: string, sealed_message_secret: Buffer) =>
  sql`update instances set
        sealed_message_secret = coalesce(sealed_message_secret, ${sealed_message_secret}),
        tunnel_address = coalesce(tunnel_address, '10.64.0.0'::inet + nextval('tunnel_address_numbers'))
      where id = ${id}`;

export const deallocate = (id: string) =>
  sql`update instances set sealed_message_secret = null, tunnel_address = null, wg_public_key = null
      where id = ${id}`;

/** Violates `instances_wg_public_key` when another instance of any tenant has the key. */
export const setWgPublicKey = (id: string, wg_public_key: string) =>
  sql`update instances set wg_public_key = ${wg_public_key} where id = ${id}`;
