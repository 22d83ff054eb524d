import { accepted, ok, route } from '../platform/http/handler.ts';
import type { PlanServices } from '../recipes/plans.ts';
import * as contract from './deployments.contract.ts';
import { checkDeploy, composeRecipe, deploy } from './deployments.ts';

export const deploymentRoutes = [
  route(contract.composeRecipe, async ({ q, body }, services: PlanServices) =>
    ok(await composeRecipe(services, q, body)),
  ),

  route(contract.checkDeploy, async ({ q, body }, services: PlanServices) => {
    const { customer_id, recipe_id, hostname, instance_overrides = null } = body;
    return ok(await checkDeploy(services, q, { customer_id, recipe_id, hostname, instance_overrides }));
  }),

  route(contract.deployRecipe, async ({ q, body }, services: PlanServices) => {
    const { customer_id, recipe_id, tier_id, region_id, hostname } = body;
    const { enqueued, result } = await deploy(services, q, {
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
