import type { Queryable } from '../platform/db/queryable.ts';
import { fragment, json, sql } from '../platform/db/sql.ts';
import type { JsonObject } from '../platform/json/json-object.ts';

/** What its task works with. */
export interface DeploymentRow {
  id: string;
  instance_id: string;
  customer_id: string;
  resolved_config: JsonObject;
}

/** What a deploy was answered with, without the configuration, which may be many times as large as a request. */
export interface DeployedRow {
  instance_id: string;
  task_id: string;
  idempotency_key: string;
  template_name: string;
  violations: unknown[];
}

/** What an accepted deploy writes; the instance's own row is another. */
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
}

/** Which of the things that a deploy names are there for this tenant. */
export async function findDeployTargets(
  q: Queryable,
  named: { customer_id: string; tier_id: string; region_id: string },
): Promise<{ customer: boolean; tier: boolean; region: boolean }> {
  const [row] = await q.rows(
    sql<{ customer: boolean; tier: boolean; region: boolean }>`
      select exists (select from customers where id = ${named.customer_id}) as customer,
             exists (select from tiers where id = ${named.tier_id} and is_active) as tier,
             exists (select from regions where id = ${named.region_id} and is_active) as region`,
  );
  return row as { customer: boolean; tier: boolean; region: boolean };
}

export async function findDeploymentByKey(
  q: Queryable,
  idempotency_key: string,
): Promise<DeployedRow | undefined> {
  const [row] = await q.rows(
    sql<DeployedRow>`select instance_id, task_id, idempotency_key, template_name, violations
                     from deployments where idempotency_key = ${idempotency_key}`,
  );
  return row;
}

export async function findDeployment(q: Queryable, id: string): Promise<DeploymentRow | undefined> {
  const [row] = await q.rows(
    sql<DeploymentRow>`select id, instance_id, customer_id, resolved_config from deployments where id = ${id}`,
  );
  return row;
}

/** @returns false when the tenant has deployed with this idempotency key already (it waits for one that is about to) */
export async function insertDeployment(q: Queryable, deployment: NewDeployment): Promise<boolean> {
  const d = deployment;
  const rows = await q.rows(
    sql`insert into deployments (id, tenant_id, instance_id, customer_id, recipe_id, recipe_revision, hostname,
          idempotency_key, plan_hash, task_id, template_name, instance_overrides, resolved_config, violations)
        values (${d.id}, ${d.tenant_id}, ${d.instance_id}, ${d.customer_id}, ${d.recipe_id}, ${d.recipe_revision},
          ${d.hostname}, ${d.idempotency_key}, ${d.plan_hash}, ${d.task_id}, ${d.template_name},
          ${json(d.instance_overrides)}, ${json(d.resolved_config)}, ${json(d.violations)})
        on conflict on constraint deployments_idempotency_key do nothing
        returning id`,
  );
  return rows.length > 0;
}

export const attachOnboarding = (q: Queryable, id: string, onboarding_flow_id: string | null) =>
  q.rows(sql`update deployments set onboarding_flow_id = ${onboarding_flow_id} where id = ${id}`);

/**
 * Gives a customer's place on an instance back. Once: a second call changes nothing. The instance is held first, as
 * whoever gives back all its places has it: the two would wait for each other.
 */
export const releaseDeployment = (q: Queryable, id: string, now: Date) =>
  q.rows(
    sql`with held as (
          select id from instances where id = (select instance_id from deployments where id = ${id})
          for no key update
        ), released as (
          update deployments set released_at = ${now}
          where id = ${id} and released_at is null and instance_id = (select id from held) returning instance_id
        )
        update instances i set placed = i.placed - 1 from released where i.id = released.instance_id`,
  );

export const releaseDeploymentsOf = (q: Queryable, instance_id: string, now: Date) =>
  q.rows(
    sql`with released as (
          update deployments set released_at = ${now} where instance_id = ${instance_id} and released_at is null
        )
        update instances set placed = 0 where id = ${instance_id}`,
  );

/**
 * The deployment that the instance was made by, whose configuration is the instance's own; its id follows. By its task,
 * for times do not tell: a transaction that joined may have begun before the one that made it.
 */
const madeBy = fragment(`select deployment_id from tasks where kind = 'provision' and instance_id =`);

/** For another try. */
export async function findInstanceDeploymentId(
  q: Queryable,
  instance_id: string,
): Promise<string | undefined> {
  const [row] = await q.rows(
    sql<{ id: string }>`
      select id from deployments where id = (${madeBy} ${instance_id} order by created_at limit 1)`,
  );
  return row?.id;
}

/** For drift: what the instance was deployed with, null where nothing was overridden. */
export async function findInstanceOverrides(q: Queryable, instance_id: string): Promise<JsonObject | null> {
  const [row] = await q.rows(
    sql<{ instance_overrides: JsonObject | null }>`
      select instance_overrides from deployments
      where id = (${madeBy} ${instance_id} order by created_at limit 1)`,
  );
  return row?.instance_overrides ?? null;
}
