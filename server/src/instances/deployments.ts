import { randomUUID } from 'node:crypto';
import { listConnectionStates } from '../connections/connections.db.ts';
import { findMissingConnections, type MissingConnection } from '../connections/missing-connections.ts';
import { copyRules, customerExists } from '../customers/customers.db.ts';
import { customerPinExists } from '../pins/pins.db.ts';
import type { Queryable, TenantDb, TenantQueryable, TenantTx } from '../platform/db/queryable.ts';
import { conflict, found, missing } from '../platform/errors.ts';
import type { JsonObject } from '../platform/json/json-object.ts';
import { hostnameInUse, type Violation } from '../recipes/composition/violations.ts';
import { connectionNeeds } from '../recipes/connection-needs.ts';
import {
  expectPlan,
  findSurroundings,
  limitOverrides,
  limitResolved,
  type Plan,
  type PlanServices,
  planFor,
  planOf,
} from '../recipes/plans.ts';
import { findRecipe, type RecipeRow } from '../recipes/recipes.db.ts';
import { draftRecipe } from '../recipes/recipes.ts';
import { retentionDays } from '../recipes/retention.ts';
import {
  type DeployedRow,
  findDeploymentByKey,
  findDeployTargets,
  insertDeployment,
  type NewDeployment,
} from './deployments.db.ts';
import { insertFirstEvent } from './instance-events.db.ts';
import { insertInstance, isHostnameInUse } from './instances.db.ts';
import { joinNode, newInstance, type PlacementRequest } from './placement.ts';
import { enqueueTask, insertTask } from './tasks.db.ts';

/** A stored recipe, or one that is not. */
interface ComposeRequest {
  recipe_id?: string;
  recipe?: Parameters<typeof draftRecipe>[1];
  instance_overrides?: JsonObject | null;
}

interface DeployRequest extends PlacementRequest {
  recipe_id: string;
  idempotency_key: string | null;
  instance_overrides: JsonObject | null;
  manifest_id: string | null;
  plan_hash: string | null;
}

/** Specification, section 2.8. */
interface DeployResult {
  instance_id: string | null;
  task_id: string | null;
  idempotency_key: string;
  template_name: string;
  ready: boolean;
  missing_connections: MissingConnection[];
  violations: Violation[];
}

interface DeployOutcome {
  /** False when the key was deployed before, or connections are missing. */
  enqueued: boolean;
  result: DeployResult;
}

export async function composeRecipe(services: PlanServices, q: TenantQueryable, request: ComposeRequest) {
  const { recipe_id, recipe: fields, instance_overrides: overrides = null } = request;
  if (recipe_id === undefined && fields === undefined) throw missing('body', 'recipe_id');
  const draft = fields && draftRecipe(q, fields, ['body', 'recipe']);
  limitOverrides(overrides);
  const [row, known] = await q.run(findRecipe(recipe_id ?? null), findSurroundings(services));
  const recipe = draft ?? found('Recipe', row);
  const { applied_manifest_id: _, ...plan } = planOf(recipe, overrides, known);
  return { template_name: recipe.name, ...plan };
}

/** Like composeRecipe, and also checks the customer's connections and the hostname. */
export async function checkDeploy(
  services: PlanServices,
  q: Queryable,
  request: {
    customer_id: string;
    recipe_id: string;
    hostname: string;
    instance_overrides: JsonObject | null;
  },
) {
  const { customer_id, recipe_id, hostname, instance_overrides: overrides } = request;
  limitOverrides(overrides);
  const { row, known, connections, has_pin, isInUse } = await q.run({
    customer: customerExists(customer_id),
    row: findRecipe(recipe_id),
    known: findSurroundings(services),
    connections: listConnectionStates(customer_id),
    has_pin: customerPinExists(customer_id),
    isInUse: isHostnameInUse(hostname),
  });
  const recipe = found('Recipe', row);
  const checked = planFor(planOf(recipe, overrides, known), { has_pin });
  const { provenance: _, applied_manifest_id: _id, ...plan } = checked;
  const missing_connections = findMissingConnections(
    connectionNeeds({ ...plan.resolved_config }),
    connections,
  );
  const ready = missing_connections.length === 0;
  // Not part of the plan: a deploy with its hash is the same with and without another instance.
  const violations = isInUse ? [...plan.violations, hostnameInUse(hostname)] : plan.violations;
  return { template_name: recipe.name, ...plan, violations, ready, missing_connections };
}

/** Rolls the transaction back: a concurrent deploy with the same key was first. */
class AlreadyDeployed extends Error {}

/**
 * Deploys exactly once per tenant and idempotency key, which a unique constraint ensures also for concurrent requests.
 * Instance, task and job commit together (contract, section 4).
 */
export async function deploy(
  services: PlanServices,
  q: TenantDb,
  request: DeployRequest,
): Promise<DeployOutcome> {
  const { instance_overrides: overrides } = request;
  limitOverrides(overrides);
  const idempotency_key = request.idempotency_key ?? randomUUID();
  const { targets, row, known, connections, has_pin, deployed } = await q.run({
    targets: findDeployTargets(request),
    row: findRecipe(request.recipe_id),
    known: findSurroundings(services),
    connections: listConnectionStates(request.customer_id),
    has_pin: customerPinExists(request.customer_id),
    // Statements run in this order and see what others committed before them: read last, a concurrent request with the same
    // key is found although something was missing a moment earlier.
    deployed: findDeploymentByKey(idempotency_key),
  });
  if (deployed) return { enqueued: false, result: resultOf(deployed) };
  found('Customer', targets.customer);
  const recipe = found('Recipe', row);
  found('Tier', targets.tier);
  found('Region', targets.region);
  if (!recipe.is_active) throw conflict('The recipe is not active');
  const plan = planFor(planOf(recipe, overrides, known, request.manifest_id), { has_pin });
  expectPlan(plan, request.plan_hash);
  const { resolved_config, violations } = plan;
  limitResolved(resolved_config, overrides);
  const missing = findMissingConnections(connectionNeeds({ ...resolved_config }), connections);
  if (missing.length > 0) {
    const result = {
      instance_id: null,
      task_id: null,
      idempotency_key,
      template_name: recipe.name,
      ready: false,
      missing_connections: missing,
      violations,
    };
    return { enqueued: false, result };
  }
  try {
    const accepted = await q.transaction((tx) =>
      writeDeployment(tx, { ...request, idempotency_key }, recipe, plan),
    );
    return { enqueued: true, result: resultOf(accepted) };
  } catch (error) {
    if (!(error instanceof AlreadyDeployed)) throw error;
    const first = found('Deployment', await q.run(findDeploymentByKey(idempotency_key)));
    return { enqueued: false, result: resultOf(first) };
  }
}

/** Writes the deployment, its task and job, and an instance unless it joins one. */
async function writeDeployment(
  tx: TenantTx,
  request: DeployRequest & { idempotency_key: string },
  recipe: RecipeRow,
  plan: Plan,
): Promise<DeployedRow> {
  const { tenant_id } = tx;
  const { manifest_id, instance_overrides: overrides } = request;
  const joined = await joinNode(tx, request, recipe, plan);
  const deployment: NewDeployment = {
    id: randomUUID(),
    tenant_id,
    instance_id: joined ?? randomUUID(),
    customer_id: request.customer_id,
    recipe_id: recipe.id,
    recipe_revision: recipe.revision,
    hostname: request.hostname,
    idempotency_key: request.idempotency_key,
    plan_hash: plan.plan_hash,
    task_id: randomUUID(),
    template_name: recipe.name,
    instance_overrides: manifest_id === null ? overrides : { ...overrides, manifest_id },
    resolved_config: plan.resolved_config,
    violations: plan.violations,
    retention_days: retentionDays(plan.resolved_config),
  };
  if (!(await tx.run(insertDeployment(deployment)))) throw new AlreadyDeployed();
  await tx.run(copyRules(request.customer_id, plan.resolved_config.rules_template_id));
  const { instance_id, task_id } = deployment;
  const made = joined
    ? []
    : [insertInstance(newInstance(deployment, request, recipe, plan)), insertFirstEvent(instance_id)];
  const kind = joined ? 'join' : 'provision';
  const task = { id: task_id, instance_id, deployment_id: deployment.id, kind } as const;
  await tx.runAll<unknown>([...made, insertTask(task), enqueueTask(task_id)]);
  return deployment;
}

/** jsonb sorts keys, but a repeated deploy gets the same answer, byte for byte. */
const inOrder = ({ code, path, kind, slug, message }: Violation): Violation => ({
  code,
  path,
  kind,
  slug,
  message,
});

function resultOf(deployment: DeployedRow): DeployResult {
  const { instance_id, task_id, idempotency_key, template_name } = deployment;
  return {
    instance_id,
    task_id,
    idempotency_key,
    template_name,
    ready: true,
    missing_connections: [],
    violations: (deployment.violations as Violation[]).map(inOrder),
  };
}
