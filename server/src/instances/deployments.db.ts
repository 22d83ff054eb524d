import { PAGE_FITS } from '../platform/db/page-bytes.ts';
import type { RowOf } from '../platform/db/rows.ts';
import { fragment, json, NOW, sql } from '../platform/db/sql.ts';
import type { JsonObject } from '../platform/json/json-object.ts';
import type { InstanceDeployment } from './instances.contract.ts';

export interface DeploymentRow {
  id: string;
  instance_id: string;
  /** null: the customer was erased. */
  customer_id: string | null;
  resolved_config: JsonObject;
  violations: { path: string }[];
}

/** A deploy's answer, which a repeated idempotency key gets again. */
export interface DeployedRow {
  instance_id: string;
  task_id: string;
  idempotency_key: string;
  template_name: string;
  violations: unknown[];
}

export interface NewDeployment extends DeployedRow {
  id: string;
  tenant_id: string;
  customer_id: string;
  recipe_id: string;
  recipe_revision: number;
  hostname: string;
  plan_hash: string;
  instance_overrides: JsonObject | null;
  resolved_config: object;
  retention_days: number;
}

interface DeployTargets {
  customer: boolean;
  tier: boolean;
  region: boolean;
}

/** True for each target that the tenant can use. */
export const findDeployTargets = (named: { customer_id: string; tier_id: string; region_id: string }) =>
  sql<DeployTargets>`
    select exists (select from customers where id = ${named.customer_id}) as customer,
           exists (select from tiers where id = ${named.tier_id} and is_active) as tier,
           exists (select from regions where id = ${named.region_id} and is_active) as region`.one();

export const findDeploymentByKey = (idempotency_key: string) =>
  sql<DeployedRow>`
    select instance_id, task_id, idempotency_key, template_name, violations
    from deployments where idempotency_key = ${idempotency_key}`.first();

export const findDeployment = (id: string) =>
  sql<DeploymentRow>`
    select id, instance_id, customer_id, resolved_config, violations from deployments where id = ${id}`.first();

/** False for a repeated idempotency key. Waits for a concurrent deploy with the same key. */
export const insertDeployment = (d: NewDeployment) =>
  sql`insert into deployments (id, tenant_id, instance_id, customer_id, recipe_id, recipe_revision, hostname,
        idempotency_key, plan_hash, task_id, template_name, instance_overrides, resolved_config, violations,
        retention_days)
      values (${d.id}, ${d.tenant_id}, ${d.instance_id}, ${d.customer_id}, ${d.recipe_id}, ${d.recipe_revision},
        ${d.hostname}, ${d.idempotency_key}, ${d.plan_hash}, ${d.task_id}, ${d.template_name},
        ${json(d.instance_overrides)}, ${json(d.resolved_config)}, ${json(d.violations)},
        ${d.retention_days})
      on conflict on constraint deployments_idempotency_key do nothing
      returning id`.exists();

export const attachOnboarding = (id: string, onboarding_flow_id: string) =>
  sql`update deployments set onboarding_flow_id = ${onboarding_flow_id} where id = ${id}`;

/** Idempotent. Locks the instance before the deployment, as all writers do, to avoid deadlocks. */
export const releaseDeployment = (id: string) =>
  sql`with held as (
        select id from instances where id = (select instance_id from deployments where id = ${id})
        for no key update
      ), released as (
        update deployments set released_at = ${NOW}
        where id = ${id} and released_at is null and instance_id = (select id from held) returning instance_id
      )
      update instances i set placed = i.placed - 1 from released where i.id = released.instance_id`;

export const listServedDeploymentIds = (instance_id: string) =>
  sql<{ id: string }>`
    select id from deployments where instance_id = ${instance_id} and released_at is null`.each(
    ({ id }) => id,
  );

type ServedRow = RowOf<typeof InstanceDeployment>;

/** Newest first. @param readsCustomers shows the e-mail address of customers without a name */
export const listServedDeployments = (
  instance_id: string,
  readsCustomers: boolean,
  limit: number,
  offset: number,
) =>
  sql<ServedRow & { total: number }>`
    select * from (
      with page as materialized (
        select d.id, d.instance_id, d.customer_id, c.email as customer_email,
               coalesce(nullif(company_name, ''), case when ${readsCustomers}::boolean then email end) as customer_name,
               d.recipe_id, r.name as recipe_name, d.recipe_revision, d.hostname,
               d.instance_overrides, d.created_at, count(*) over () as total
        from served_deployments d
        left join customers c on c.id = d.customer_id
        left join recipes r on r.id = d.recipe_id
        where d.instance_id = ${instance_id}
        order by d.created_at desc, d.id limit ${limit} offset ${offset})
      select * from page where ${PAGE_FITS}) listed
    order by created_at desc, id`;

export const releaseDeploymentsOf = (instance_id: string) =>
  sql`with released as (
        update deployments set released_at = ${NOW} where instance_id = ${instance_id} and released_at is null
      )
      update instances set placed = 0 where id = ${instance_id}`;

/**
 * Selects the deployment that created the instance whose id follows. Its task identifies it; created_at does not, because
 * the transaction of a later join may have begun earlier.
 */
const createdBy = fragment(`select deployment_id from tasks where kind = 'provision' and instance_id =`);

export const findInstanceDeploymentId = (instance_id: string) =>
  sql<{ id: string }>`
    select id from deployments where id = (${createdBy} ${instance_id} order by created_at limit 1)`
    .first()
    .map((row) => row?.id);

/** Those of the deployment that created the instance; null: none. */
export const findInstanceOverrides = (instance_id: string) =>
  sql<{ instance_overrides: JsonObject | null }>`
    select instance_overrides from deployments
    where id = (${createdBy} ${instance_id} order by created_at limit 1)`
    .first()
    .map((row) => row?.instance_overrides ?? null);

/** All triggers up to `at` have fired. Keeps a later time, which a concurrent change of schedules wrote. */
export const setTriggersSince = (deployment_id: string, at: Date) =>
  sql`update deployments set triggers_since = greatest(triggers_since, ${at}) where id = ${deployment_id}`;
