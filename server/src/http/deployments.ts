import * as contract from '../contract/deployments.ts';
import { getCustomerId } from '../domain/customers.ts';
import { deploy } from '../domain/deployments.ts';
import { findCheckedPlan, findPlan } from '../domain/plans.ts';
import { notFound } from '../errors.ts';
import { accepted, ok, route } from './handler.ts';

export const deploymentRoutes = [
  route(contract.composeRecipe, async ({ q, body }) => {
    const found = await findPlan(q, body.recipe_id, body.instance_overrides ?? null);
    if (!found) throw notFound('Recipe');
    const { recipe, ...plan } = found;
    return ok({ template_name: recipe.name, ...plan });
  }),

  route(contract.checkDeploy, async ({ q, body, services }) => {
    const { recipe_id, customer_id, instance_overrides: overrides = null } = body;
    const [, plan] = await Promise.all([
      getCustomerId(q, customer_id),
      findCheckedPlan(q, { recipe_id, customer_id, overrides }, services.clock()),
    ]);
    if (!plan) throw notFound('Recipe');
    const { recipe, resolved_config, violations, plan_hash, ready, missing_connections } = plan;
    return ok({
      template_name: recipe.name,
      resolved_config,
      violations,
      plan_hash,
      ready,
      missing_connections,
    });
  }),

  route(contract.deployRecipe, async ({ services, tenant_id, body }) => {
    const { customer_id, recipe_id, tier_id, region_id, hostname } = body;
    const { enqueued, result } = await deploy(services, tenant_id, {
      customer_id,
      recipe_id,
      tier_id,
      region_id,
      hostname,
      hosting_mode: body.hosting_mode ?? null,
      shared_node_capacity: body.shared_node_capacity ?? null,
      idempotency_key: body.idempotency_key ?? null,
      instance_overrides: body.instance_overrides ?? null,
      manifest_id: body.manifest_id ?? null,
      plan_hash: body.plan_hash ?? null,
    });
    return enqueued ? accepted(result) : ok(result);
  }),
];
