import type { HostingMode, InstanceStatus } from '../catalogue/hosting.contract.ts';
import { fragment, json, sql } from '../platform/db/sql.ts';
import type { JsonObject } from '../platform/json/json-object.ts';
import type { TaskKind, TaskStatus } from './tasks.contract.ts';

export interface UpgradableRow {
  id: string;
  status: InstanceStatus;
  hosting_mode: HostingMode;
  recipe_id: string;
  recipe_revision: number;
  region_id: string;
  resolved_config: JsonObject;
}

/** A deployment that the upgrade of its instance changes. */
export interface MemberRow {
  id: string;
  customer_id: string | null;
  recipe_revision: number;
  instance_overrides: JsonObject | null;
  resolved_config: JsonObject;
  retention_days: number;
  /** False when the customer has left; then it is the deployment that created the instance. */
  is_served: boolean;
  has_pin: boolean;
  /** It created the instance, which runs with its configuration. */
  is_first: boolean;
}

export const findUpgradable = (id: string) =>
  sql<UpgradableRow>`
    select id, status, hosting_mode, recipe_id, recipe_revision, region_id, resolved_config
    from instances where id = ${id}`.first();

/** The deployment that created the instance, then the others that it serves. */
export const listMembers = (instance_id: string) =>
  sql<MemberRow>`
    select d.id, d.customer_id, d.recipe_revision, d.instance_overrides, d.resolved_config, d.retention_days,
           d.released_at is null as is_served,
           exists (select from pins p where p.customer_id = d.customer_id and p.identity_id is null) as has_pin,
           d.id is not distinct from made.deployment_id as is_first
    from deployments d
    left join lateral (
      select deployment_id from tasks where instance_id = d.instance_id and kind = 'provision'
      order by created_at limit 1) made on true
    where d.instance_id = ${instance_id} and (d.released_at is null or d.id = made.deployment_id)
    order by is_first desc, d.created_at, d.id`;

interface UnfinishedTaskRow {
  task_id: string;
  kind: TaskKind;
  status: TaskStatus;
  plan_hash: string | null;
}

export const findUnfinishedTask = (instance_id: string) =>
  sql<UnfinishedTaskRow>`
    select t.id as task_id, t.kind, t.status, u.plan_hash
    from tasks t left join upgrades u on u.task_id = t.id
    where t.instance_id = ${instance_id} and t.status in ('queued', 'running', 'canceling')
    order by t.kind = 'upgrade' desc limit 1`.first();

interface NewUpgrade {
  task_id: string;
  plan_hash: string;
  recipe_revision: number;
  template_name: string;
  manifest_id: string | null;
  resolved_config: object;
  provenance: object;
  effects: object;
  applied_manifest_id: string;
  pin_skills: readonly string[];
}

export const insertUpgrade = (u: NewUpgrade) =>
  sql`insert into upgrades (task_id, tenant_id, plan_hash, recipe_revision, template_name, manifest_id, resolved_config,
        provenance, effects, applied_manifest_id, pin_skills)
      values (${u.task_id}, current_tenant(), ${u.plan_hash}, ${u.recipe_revision}, ${u.template_name},
        ${u.manifest_id}, ${json(u.resolved_config)}, ${json(u.provenance)}, ${json(u.effects)},
        ${u.applied_manifest_id}, ${json(u.pin_skills)})`;

interface NewDeploymentUpgrade {
  task_id: string;
  deployment_id: string;
  recipe_revision: number;
  plan_hash: string;
  instance_overrides: JsonObject | null;
  resolved_config: object;
  retention_days: number;
  onboarding_flow_id: string | null;
}

export const insertDeploymentUpgrade = (u: NewDeploymentUpgrade) =>
  sql`insert into deployment_upgrades (task_id, deployment_id, tenant_id, recipe_revision, plan_hash,
        instance_overrides, resolved_config, retention_days, onboarding_flow_id)
      values (${u.task_id}, ${u.deployment_id}, current_tenant(), ${u.recipe_revision}, ${u.plan_hash},
        ${json(u.instance_overrides)}, ${json(u.resolved_config)}, ${u.retention_days}, ${u.onboarding_flow_id})`;

/** When the task ends: the rows hold configurations, which must not outlive an erased customer. */
export const deleteUpgrade = (task_id: string) => sql`delete from upgrades where task_id = ${task_id}`;

export interface UpgradeRow {
  recipe_revision: number;
  is_applied: boolean;
  pin_skills: string[];
  pins_added: string[] | null;
  former_spec_hash: string | null;
  renewed_generation: number | null;
  restored_generation: number | null;
}

export const findUpgrade = (task_id: string) =>
  sql<UpgradeRow>`
    select recipe_revision, is_applied, pin_skills, pins_added, former_spec_hash, renewed_generation, restored_generation
    from upgrades where task_id = ${task_id}`.first();

export const notePinsAdded = (task_id: string, skills: readonly string[]) =>
  sql`update upgrades set pins_added = coalesce(pins_added, ${json(skills)}::jsonb) where task_id = ${task_id}`;

export const noteFormerSpec = (task_id: string, hash: string) =>
  sql`update upgrades set former_spec_hash = ${hash} where task_id = ${task_id} and not is_applied`;

export const noteRenewed = (task_id: string, generation: number) =>
  sql`update upgrades set renewed_generation = ${generation} where task_id = ${task_id}`;

export const noteRestored = (task_id: string, generation: number) =>
  sql`update upgrades set restored_generation = ${generation} where task_id = ${task_id}`;

const MEMBER_COLUMNS = fragment(
  'recipe_revision, plan_hash, instance_overrides, resolved_config, retention_days, onboarding_flow_id',
);
const OLD_MEMBER_COLUMNS = fragment(
  'old.recipe_revision, old.plan_hash, old.instance_overrides, old.resolved_config, old.retention_days, old.onboarding_flow_id',
);
const NEW_MEMBER_COLUMNS = fragment(
  'u.recipe_revision, u.plan_hash, u.instance_overrides, u.resolved_config, u.retention_days, u.onboarding_flow_id',
);
const INSTANCE_COLUMNS = fragment(
  'recipe_revision, template_name, manifest_id, resolved_config, provenance, effects, applied_manifest_id',
);
const OLD_INSTANCE_COLUMNS = fragment(
  'old.recipe_revision, old.template_name, old.manifest_id, old.resolved_config, old.provenance, old.effects, old.applied_manifest_id',
);
const NEW_INSTANCE_COLUMNS = fragment(
  'u.recipe_revision, u.template_name, u.manifest_id, u.resolved_config, u.provenance, u.effects, u.applied_manifest_id',
);

/**
 * Swaps the configurations of the deployments with those in the upgrade: `is_applied` applies it, false undoes it.
 * Idempotent. Lock the instance first.
 */
export const swapDeployments = (task_id: string, is_applied: boolean) =>
  sql`with old as (
        select d.id, d.recipe_revision, d.plan_hash, d.instance_overrides, d.resolved_config, d.retention_days,
               d.onboarding_flow_id
        from deployments d join deployment_upgrades u on u.deployment_id = d.id
        where u.task_id = ${task_id} and u.is_applied <> ${is_applied} for update
      ), changed as (
        update deployments d set (${MEMBER_COLUMNS}) = row (${NEW_MEMBER_COLUMNS})
        from deployment_upgrades u
        where u.task_id = ${task_id} and u.is_applied <> ${is_applied} and u.deployment_id = d.id
      )
      update deployment_upgrades u set (${MEMBER_COLUMNS}) = row (${OLD_MEMBER_COLUMNS}), is_applied = ${is_applied}
      from old where u.task_id = ${task_id} and u.deployment_id = old.id`;

/** Like swapDeployments, for the instance's own row. */
export const swapInstance = (task_id: string, is_applied: boolean) =>
  sql`with old as (
        select i.id, i.recipe_revision, i.template_name, i.manifest_id, i.resolved_config, i.provenance,
               i.effects, i.applied_manifest_id
        from instances i join tasks t on t.instance_id = i.id join upgrades u on u.task_id = t.id
        where u.task_id = ${task_id} and u.is_applied <> ${is_applied} for update of i
      ), changed as (
        update instances i set (${INSTANCE_COLUMNS}) = row (${NEW_INSTANCE_COLUMNS})
        from upgrades u, old where u.task_id = ${task_id} and i.id = old.id
      )
      update upgrades u set (${INSTANCE_COLUMNS}) = row (${OLD_INSTANCE_COLUMNS}), is_applied = ${is_applied}
      from old where u.task_id = ${task_id}`;

/** The connections that a customer needs on an instance. */
interface PlaceRow {
  customer_id: string;
  connection_requirements: unknown[];
}

/** For an upgrade's new configurations, before it is applied. */
export const listComingPlaces = (task_id: string) =>
  sql<PlaceRow>`
    select d.customer_id, coalesce(u.resolved_config -> 'connection_requirements', '[]') as connection_requirements
    from deployment_upgrades u join served_deployments d on d.id = u.deployment_id
    where u.task_id = ${task_id} and d.customer_id is not null
    order by d.customer_id, d.id`;

/** For an instance's deployments, one row per customer. */
export const listPlaces = (instance_id: string) =>
  sql<PlaceRow>`
    select d.customer_id, coalesce(jsonb_agg(r.element) filter (where r.element is not null), '[]') as connection_requirements
    from served_deployments d
    left join lateral jsonb_array_elements(case jsonb_typeof(d.resolved_config -> 'connection_requirements')
      when 'array' then d.resolved_config -> 'connection_requirements' end) as r (element) on true
    where d.instance_id = ${instance_id} and d.customer_id is not null
    group by d.customer_id order by d.customer_id`;
