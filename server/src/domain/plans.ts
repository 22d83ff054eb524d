import { listConnectionStates } from '../db/connections.ts';
import type { Queryable } from '../db/database.ts';
import { findRecipe, type RecipeRow } from '../db/recipes.ts';
import { conflict, notFound } from '../errors.ts';
import { compose } from './composition/composition.ts';
import type { AgentConfiguration } from './composition/composition-fields.ts';
import type { JsonObject } from './composition/json-object.ts';
import { findMissingConnections, type MissingConnection } from './composition/missing-connections.ts';
import { planHash } from './composition/plan-hash.ts';
import { checkPrimitives } from './composition/primitive-check.ts';
import type { Provenance } from './composition/provenance.ts';
import type { Violation } from './composition/violations.ts';
import { approvedPrimitives } from './primitives.ts';

/** What the platform sets below every recipe. */
const PLATFORM_DEFAULTS: Readonly<Partial<AgentConfiguration>> = {};

/** What a deploy of a recipe with overrides would be. */
export interface Plan {
  recipe: RecipeRow;
  resolved_config: AgentConfiguration;
  provenance: Provenance;
  violations: Violation[];
  plan_hash: string;
}

/** A plan held against a customer's connections. */
export interface CheckedPlan extends Plan {
  missing_connections: MissingConnection[];
  ready: boolean;
}

/** Composes a recipe with overrides and checks it against what the tenant approved. One round trip. */
export async function planRecipe(
  q: Queryable,
  recipe_id: string,
  overrides: JsonObject | null,
): Promise<Plan> {
  const [recipe, approved] = await Promise.all([findRecipe(q, recipe_id), approvedPrimitives(q)]);
  if (!recipe) throw notFound('Recipe');
  const { resolved_config, provenance, violations } = compose({
    platform: PLATFORM_DEFAULTS,
    recipe,
    overrides,
  });
  return {
    recipe,
    resolved_config,
    provenance,
    violations: [...violations, ...checkPrimitives(resolved_config, approved)],
    plan_hash: planHash({ recipe_id: recipe.id, revision: recipe.revision, resolved_config }),
  };
}

/** The plan for one customer. The caller has to know that the customer exists. */
export async function checkPlan(
  q: Queryable,
  request: { recipe_id: string; customer_id: string; overrides: JsonObject | null },
  now: Date,
): Promise<CheckedPlan> {
  const [plan, connections] = await Promise.all([
    planRecipe(q, request.recipe_id, request.overrides),
    listConnectionStates(q, request.customer_id),
  ]);
  const missing_connections = findMissingConnections(
    plan.resolved_config.connection_requirements,
    connections,
    now,
  );
  return { ...plan, missing_connections, ready: missing_connections.length === 0 };
}

/** Refuses a plan that is not the one that the client was shown. */
export function expectPlan(plan: Plan, plan_hash: string | null): void {
  if (plan_hash !== null && plan_hash !== plan.plan_hash) {
    throw conflict('The plan has changed since it was checked; check the deploy again');
  }
}
