import type { Static } from 'typebox';
import type { HostingMode, InstanceStatus } from '../catalogue/hosting.contract.ts';
import { fragment, json, NOW, sql } from '../platform/db/sql.ts';
import type { JsonObject } from '../platform/json/json-object.ts';
import type { RuntimeState } from './runtime-state.contract.ts';

export interface InstanceRow {
  id: string;
  tenant_id: string;
  /** null once the customer was erased */
  customer_id: string | null;
  recipe_id: string;
  recipe_revision: number;
  template_name: string;
  tier_id: string;
  region_id: string;
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

export interface InstanceDetailRow extends InstanceRow {
  resolved_config: JsonObject;
  provenance: JsonObject;
}

/** The part of an instance that calls to its runtime need. */
export interface InstanceRuntimeRow {
  id: string;
  sealed_message_secret: Buffer | null;
  tunnel_address: string | null;
  runtime_address: string | null;
  chatapp_api_base_url: string | null;
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
}

const columns =
  fragment(`id, tenant_id, customer_id, recipe_id, recipe_revision, template_name, tier_id, region_id,
  hostname, hosting_mode, capacity as shared_node_capacity, placed as deployment_count, manifest_id, status,
  host(tunnel_address) as tunnel_address, created_at, updated_at,
  json_build_object(
    'state', case runtime_phase when 'gone' then 'absent' else runtime_phase end,
    'reason', runtime_reason,
    'restarts', runtime_restarts,
    'generation', runtime_generation,
    'since', to_char(runtime_since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) as runtime`);

/** The tenant of an instance (in the system scope). */
export const findInstanceTenant = (id: string) =>
  sql<{ tenant_id: string }>`select tenant_id from instances where id = ${id}`
    .first()
    .map((row) => row?.tenant_id);

/** Stops the statements behind it with 404 unless the tenant has the instance. */
export const instanceExists = (id: string) =>
  sql`select must_exist(exists (select from instances where id = ${id}), 'Instance')`;

export const findInstance = (id: string) =>
  sql<InstanceRow>`select ${columns} from instances where id = ${id}`.first();

/** With its configuration. */
export const findInstanceDetail = (id: string) =>
  sql<InstanceDetailRow>`select ${columns}, resolved_config, provenance from instances where id = ${id}`.first();

export const findInstanceRuntime = (id: string) =>
  sql<InstanceRuntimeRow>`
    select i.id, i.sealed_message_secret, host(i.tunnel_address) as tunnel_address, i.runtime_address,
           r.chatapp_api_base_url
    from instances i join regions r on r.id = i.region_id where i.id = ${id}`.first();

export interface InstanceFilter {
  status: InstanceStatus | null;
  customer_id: string | null;
  recipe_id: string | null;
}

export const listInstances = (filter: InstanceFilter, limit: number, offset: number) =>
  sql<InstanceRow & { total: number }>`
    select ${columns}, count(*) over () as total from instances i
    where (${filter.status}::text is null or status = ${filter.status})
      and (${filter.recipe_id}::uuid is null or recipe_id = ${filter.recipe_id})
      and (${filter.customer_id}::uuid is null or exists (
        select from deployments d where d.instance_id = i.id and d.customer_id = ${filter.customer_id}))
    order by created_at desc, id limit ${limit} offset ${offset}`;

export const insertInstance = (i: NewInstance) =>
  sql`insert into instances (id, tenant_id, customer_id, recipe_id, recipe_revision, template_name, tier_id, region_id,
        hostname, hosting_mode, manifest_id, capacity, resolved_config, provenance)
      values (${i.id}, ${i.tenant_id}, ${i.customer_id}, ${i.recipe_id}, ${i.recipe_revision}, ${i.template_name},
        ${i.tier_id}, ${i.region_id}, ${i.hostname}, ${i.hosting_mode}, ${i.manifest_id}, ${i.capacity},
        ${json(i.resolved_config)}, ${json(i.provenance)})`;

/**
 * Serializes the deploys of one recipe revision to one region until the transaction ends: otherwise each of the first
 * ones would create a shared instance of its own.
 */
export const lockPlacement = (recipe_id: string, revision: number, region_id: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`${recipe_id} ${revision} ${region_id}`}, 0))`;

/**
 * Takes a place on the oldest shared instance with room. Instances that are about to stop or whose deploy is being
 * undone are left out: their tasks say so before their status does. Returns the instance's id; undefined where none has room.
 */
export const joinSharedInstance = (wanted: {
  recipe_id: string;
  recipe_revision: number;
  region_id: string;
}) =>
  sql<{ id: string }>`
    update instances set placed = placed + 1
    where id = (
      select id from instances i
      where hosting_mode = 'shared' and status in ('pending', 'provisioning', 'running') and placed < capacity
        and recipe_id = ${wanted.recipe_id} and recipe_revision = ${wanted.recipe_revision}
        and region_id = ${wanted.region_id}
        and not exists (
          select from tasks t where t.tenant_id = i.tenant_id and t.instance_id = i.id
            and (t.kind = 'stop' and t.status in ('queued', 'running')
              or t.kind = 'provision' and t.status = 'canceling'))
      order by created_at, id limit 1 for update)
    returning id`
    .first()
    .map((row) => row?.id);

/** Moves an instance that is in one of the states `from`, and writes the event. True when it moved. */
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

/** Locks an instance until the transaction ends. Returns its status; undefined where there is no instance. */
export const lockInstance = (id: string) =>
  sql<{ status: InstanceStatus }>`select status from instances where id = ${id} for update`
    .first()
    .map((row) => row?.status);

/** Gives an instance its message secret and its tunnel address. A second call changes nothing. */
export const allocate = (id: string, sealed_message_secret: Buffer) =>
  sql`update instances set
        sealed_message_secret = coalesce(sealed_message_secret, ${sealed_message_secret}),
        tunnel_address = coalesce(tunnel_address, '10.64.0.0'::inet + nextval('tunnel_address_numbers'))
      where id = ${id}`;

export const deallocate = (id: string) =>
  sql`update instances set sealed_message_secret = null, tunnel_address = null, wg_public_key = null,
                           runtime_address = null
      where id = ${id}`;
