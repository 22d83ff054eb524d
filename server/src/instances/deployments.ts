import { randomUUID } from 'node:crypto';
import type { MissingConnection } from '../connections/missing-connections.ts';
import { type TenantQueryable, type Tx, tenantScope } from '../platform/db/queryable.ts';
import { conflict, notFound } from '../platform/errors.ts';
import {
  type CheckedPlan,
  checkPlan,
  expectPlan,
  findPlanParts,
  listConnectionStates,
  withPlan,
} from '../recipes/plans.ts';
import type { Services } from '../services.ts';
import {
  type DeployedRow,
  findDeploymentByKey,
  findDeployTargets,
  insertDeployment,
  type NewDeployment,
} from './deployments.db.ts';
import { insertFirstEvent } from './instance-events.db.ts';
import { insertInstance } from './instances.db.ts';
import { joinNode, newInstance, type PlacementRequest } from './placement.ts';
import { insertTask, taskPriority } from './tasks.db.ts';

export interface DeployRequest extends PlacementRequest {
  recipe_id: string;
  idempotency_key: string | null;
  instance_overrides: Record<string, unknown> | null;
  manifest_id: string | null;
  plan_hash: string | null;
}

/** The specification's deploy result (section 2.8). */
export interface DeployResult {
  instance_id: string | null;
  task_id: string | null;
  idempotency_key: string;
  template_name: string;
  ready: boolean;
  missing_connections: MissingConnection[];
  violations: CheckedPlan['violations'];
}

export interface DeployOutcome {
  /** Whether this request enqueued provisioning; else it was deployed before, or is not ready. */
  enqueued: boolean;
  result: DeployResult;
}

/** Thrown inside a deploy's transaction to take back what it did: another one with the same key was first. */
class DeployedAlready extends Error {}

/**
 * Deploys a recipe for a customer, exactly once for each (tenant, idempotency key): the database's unique constraint
 * decides, also when the same request arrives many times at once. Instance, task and job are committed together
 * (contract, section 4).
 */
export async function deploy(
  services: Services,
  q: TenantQueryable,
  signal: AbortSignal | undefined,
  request: DeployRequest,
): Promise<DeployOutcome> {
  const now = services.clock();
  const idempotency_key = request.idempotency_key ?? randomUUID();
  const [targets, parts, connections, deployed] = await Promise.all([
    findDeployTargets(q, request),
    findPlanParts(q, request.recipe_id),
    q.rows(listConnectionStates(request.customer_id)),
    // Last: what is no longer there by now may have been when the same request was carried out meanwhile.
    findDeploymentByKey(q, idempotency_key),
  ]);
  if (deployed) return { enqueued: false, result: resultOf(deployed) };
  if (!targets.customer) throw notFound('Customer');
  if (!parts) throw notFound('Recipe');
  if (!targets.tier) throw notFound('Tier');
  if (!targets.region) throw notFound('Region');
  try {
    return await withPlan(
      { q, services, signal },
      parts,
      () => request.instance_overrides,
      async (found) => {
        if (!found.recipe.is_active) throw conflict('The recipe is not active');
        expectPlan(found, request.plan_hash);
        const plan = checkPlan(found, connections, now);
        if (!plan.ready) return { enqueued: false, result: notReady(plan, idempotency_key) };
        const configured = withManifest(plan, request.manifest_id);
        return place(services, q.tenant_id, { ...request, idempotency_key }, configured);
      },
    );
  } catch (error) {
    // It may have waited, and been carried out meanwhile: whatever is not as it was since, the repeated key counts.
    const carriedOut = await findDeploymentByKey(q, idempotency_key);
    if (!carriedOut) throw error;
    return { enqueued: false, result: resultOf(carriedOut) };
  }
}

/**
 * The manifest that a deploy names, like hosting mode and capacity no part of the plan that was checked, is an override
 * of the configuration from there on: who reads the configuration knows no other place.
 */
function withManifest(plan: CheckedPlan, manifest_id: string | null): CheckedPlan {
  if (manifest_id === null) return plan;
  return {
    ...plan,
    resolved_config: { ...plan.resolved_config, manifest_id },
    provenance: { ...plan.provenance, '/manifest_id': 'override' },
  };
}

/** The overrides with that manifest among them. */
const overridesOf = ({ instance_overrides, manifest_id }: DeployRequest) =>
  manifest_id === null ? instance_overrides : { ...instance_overrides, manifest_id };

async function place(
  services: Services,
  tenant_id: string,
  request: DeployRequest & { idempotency_key: string },
  plan: CheckedPlan,
): Promise<DeployOutcome> {
  const deployment = await services.db.transaction(tenantScope(tenant_id), (tx) =>
    writeDeployment(services, tx, tenant_id, request, plan),
  );
  return { enqueued: true, result: resultOf(deployment) };
}

async function writeDeployment(
  services: Services,
  tx: Tx,
  tenant_id: string,
  request: DeployRequest & { idempotency_key: string },
  plan: CheckedPlan,
): Promise<DeployedRow> {
  const { recipe, resolved_config, violations, plan_hash } = plan;
  const joined = await joinNode(tx, request, plan);
  const deployment: NewDeployment = {
    id: randomUUID(),
    tenant_id,
    instance_id: joined ?? randomUUID(),
    customer_id: request.customer_id,
    recipe_id: recipe.id,
    recipe_revision: recipe.revision,
    hostname: request.hostname,
    idempotency_key: request.idempotency_key,
    plan_hash,
    task_id: randomUUID(),
    template_name: recipe.name,
    instance_overrides: overridesOf(request),
    resolved_config,
    violations,
  };
  if (!(await insertDeployment(tx, deployment))) throw new DeployedAlready();
  const { instance_id, task_id } = deployment;
  if (!joined) {
    await tx.run(insertInstance(newInstance(deployment, request, plan)), insertFirstEvent(instance_id));
  }
  const kind = joined ? 'join' : 'provision';
  const task = { id: task_id, instance_id, deployment_id: deployment.id, kind } as const;
  const [, priority] = await tx.run(insertTask(task), taskPriority());
  await services.queue.enqueue(tx, [{ name: 'run_task', data: { tenant_id, task_id }, priority }]);
  return deployment;
}

const notReady = (
  { recipe, missing_connections, violations }: CheckedPlan,
  idempotency_key: string,
): DeployResult => ({
  instance_id: null,
  task_id: null,
  idempotency_key,
  template_name: recipe.name,
  ready: false,
  missing_connections,
  violations,
});

/** jsonb sorts the members of what it keeps; the same answer has them as they were. */
const inOrder = ({ code, path, kind, slug, message }: DeployResult['violations'][number]) => ({
  code,
  path,
  kind,
  slug,
  message,
});

function resultOf(deployment: DeployedRow): DeployResult {
  const { instance_id, task_id, idempotency_key, template_name } = deployment;
  const violations = (deployment.violations as DeployResult['violations']).map(inOrder);
  return {
    instance_id,
    task_id,
    idempotency_key,
    template_name,
    ready: true,
    missing_connections: [],
    violations,
  };
}
