import { getCustomerId } from '../customers/customers.ts';
import { notFound } from '../platform/errors.ts';
import { abortOnDisconnect, accepted, ok, route } from '../platform/http/handler.ts';
import { largeJson } from '../platform/http/large-json.ts';
import { checkPlan, findPlanParts, listConnectionStates, withPlan } from '../recipes/plans.ts';
import type { Services } from '../services.ts';
import * as contract from './deployments.contract.ts';
import { deploy } from './deployments.ts';

export const deploymentRoutes = [
  route(contract.composeRecipe, async ({ q, body, reply }, services: Services) => {
    const parts = await findPlanParts(q, body.recipe_id);
    if (!parts) throw notFound('Recipe');
    const call = { q, services, signal: abortOnDisconnect(reply) };
    const overrides = () => body.instance_overrides ?? null;
    return withPlan(call, parts, overrides, async ({ recipe, ...plan }) =>
      ok(await largeJson({ template_name: recipe.name, ...plan })),
    );
  }),

  route(contract.checkDeploy, async ({ q, body, reply }, services: Services) => {
    const { recipe_id, customer_id, instance_overrides: overrides = null } = body;
    const [, parts, connections] = await Promise.all([
      getCustomerId(q, customer_id),
      findPlanParts(q, recipe_id),
      q.rows(listConnectionStates(customer_id)),
    ]);
    if (!parts) throw notFound('Recipe');
    const call = { q, services, signal: abortOnDisconnect(reply) };
    return withPlan(
      call,
      parts,
      () => overrides,
      async (plan) => {
        const { recipe, provenance: _, ...checked } = checkPlan(plan, connections, services.clock());
        return ok(await largeJson({ template_name: recipe.name, ...checked }));
      },
    );
  }),

  route(contract.deployRecipe, async ({ q, body, reply }, services: Services) => {
    const { customer_id, recipe_id, tier_id, region_id, hostname } = body;
    const { enqueued, result } = await deploy(services, q, abortOnDisconnect(reply), {
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
