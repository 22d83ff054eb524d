import { listConnectionStates } from '../db/connections.ts';
import type { Queryable } from '../db/database.ts';
import { findUnreadRecipe, type UnreadRecipe } from '../db/recipes.ts';
import { conflict } from '../errors.ts';
import type { JsonObject } from '../json-object.ts';
import { compose, type RecipeConfiguration } from './composition/composition.ts';
import { type AgentConfiguration, CONFIGURATION_FIELDS } from './composition/composition-fields.ts';
import { findMissingConnections, type MissingConnection } from './composition/missing-connections.ts';
import { planHash } from './composition/plan-hash.ts';
import { type ApprovedPrimitives, checkPrimitives } from './composition/primitive-check.ts';
import type { Provenance } from './composition/provenance.ts';
import type { Violation } from './composition/violations.ts';
import { inTurns, type Steps } from './in-turns.ts';
import { approvedPrimitives } from './primitives.ts';

/** What the platform sets below every recipe. */
const PLATFORM_DEFAULTS: Readonly<Partial<AgentConfiguration>> = {};

/** What a deploy of a recipe with overrides would be. */
export interface Plan {
  recipe: UnreadRecipe;
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

/**
 * Composes a recipe with overrides and checks it against what the tenant approved. One round trip.
 * @returns undefined when the tenant has no such recipe
 */
export async function findPlan(
  q: Queryable,
  recipe_id: string,
  overrides: JsonObject | null,
): Promise<Plan | undefined> {
  const [recipe, approved] = await Promise.all([findUnreadRecipe(q, recipe_id), approvedPrimitives(q)]);
  return recipe && inTurns(planOf(recipe, overrides, approved));
}

/** In turns, because each field of a recipe may be as large as a request. */
function* planOf(
  unread: UnreadRecipe,
  overrides: JsonObject | null,
  approved: ApprovedPrimitives,
): Steps<Plan> {
  const recipe = yield* readConfiguration(unread);
  const composed = yield* compose({ platform: PLATFORM_DEFAULTS, recipe, overrides });
  const { resolved_config, provenance } = composed;
  const unapproved = yield* checkPrimitives(resolved_config, approved);
  const plan_hash = yield* planHash({ recipe_id: unread.id, revision: unread.revision, resolved_config });
  const violations = [...composed.violations, ...unapproved];
  return { recipe: unread, resolved_config, provenance, violations, plan_hash };
}

function* readConfiguration(unread: UnreadRecipe): Steps<RecipeConfiguration> {
  const configuration: JsonObject = {};
  for (const { name, kind } of CONFIGURATION_FIELDS) {
    yield;
    const text = unread[name];
    configuration[name] = text === null || kind === 'string' || kind === 'uuid' ? text : JSON.parse(text);
  }
  return configuration;
}

/** The plan for one customer, as findPlan. The caller has to know that the customer exists. */
export async function findCheckedPlan(
  q: Queryable,
  request: { recipe_id: string; customer_id: string; overrides: JsonObject | null },
  now: Date,
): Promise<CheckedPlan | undefined> {
  const [plan, connections] = await Promise.all([
    findPlan(q, request.recipe_id, request.overrides),
    listConnectionStates(q, request.customer_id),
  ]);
  if (!plan) return undefined;
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
