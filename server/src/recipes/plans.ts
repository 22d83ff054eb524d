import { type ApprovedPrimitives, findApprovedPrimitives } from '../catalogue/primitives.db.ts';
import type { ConnectionState } from '../connections/connections.db.ts';
import { findMissingConnections, type MissingConnection } from '../connections/missing-connections.ts';
import type { Queryable } from '../platform/db/queryable.ts';
import { conflict, invalid, notFound } from '../platform/errors.ts';
import type { JsonObject } from '../platform/json/json-object.ts';
import { inTurns, type Steps } from '../platform/load/in-turns.ts';
import { compose, type RecipeConfiguration } from './composition/composition.ts';
import { type AgentConfiguration, CONFIGURATION_FIELDS } from './composition/composition-fields.ts';
import { planHash } from './composition/plan-hash.ts';
import { checkPrimitives } from './composition/primitive-check.ts';
import type { Provenance } from './composition/provenance.ts';
import { saidBound, TooMuchSaid } from './composition/said-bound.ts';
import type { Violation } from './composition/violations.ts';
import { ANY_SIZE, type LargeCall, LIGHT } from './large-recipes.ts';
import { findUnreadRecipe, type UnreadRecipe } from './recipes.db.ts';

export { listConnectionStates } from '../connections/connections.db.ts';

/**
 * Of pointers, as of a request, and of violations. Field by field a recipe of 66 KB could have 30 MB of pointers, and one
 * of 2 MiB 57. An element of a list without a slug is three bytes, and 120 as a violation.
 */
const MAX_SAID_LENGTH = 8 * 1024 * 1024;

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

/** What a plan is made of, a large recipe's JSON aside. */
export interface PlanParts {
  recipe: UnreadRecipe;
  approved: ApprovedPrimitives;
}

/** @returns undefined when the tenant has no such recipe */
export async function findPlanParts(q: Queryable, recipe_id: string): Promise<PlanParts | undefined> {
  const [recipe, approved] = await Promise.all([
    findUnreadRecipe(q, recipe_id, LIGHT.bytes),
    q.run(findApprovedPrimitives()),
  ]);
  return recipe && { recipe, approved };
}

/**
 * Composes a recipe with overrides and checks it against what the tenant approved. A large plan is made when it is its
 * turn (429 where too many wait for theirs), and is there for `use` alone: what comes of it should hold little.
 * Overrides are asked for when they are needed, because those of an instance are read, and not held by who waits.
 * `whenGone`: in the turn, where the recipe was deleted before it.
 */
export async function withPlan<T>(
  call: LargeCall,
  { recipe, approved }: PlanParts,
  findOverrides: () => JsonObject | null | Promise<JsonObject | null>,
  use: (plan: Plan) => Promise<T>,
  whenGone: () => Promise<T> = () => Promise.reject(notFound('Recipe')),
): Promise<T> {
  const make = async (unread: UnreadRecipe, maxSaidLength: number) =>
    inTurns(planOf(unread, await findOverrides(), approved, maxSaidLength));
  const light = recipe.is_large ? undefined : await make(recipe, LIGHT.said_length).catch(passTooMuchSaid);
  if (light) return use(light);
  const useLarge = async () => {
    const whole = await findUnreadRecipe(call.q, recipe.id, ANY_SIZE);
    if (!whole) return whenGone();
    const plan = await make(whole, MAX_SAID_LENGTH).catch(passTooMuchSaid);
    if (!plan)
      throw invalid(
        ['body'],
        'The configuration has too many violations, or keys too long for so many values',
      );
    return use(plan);
  };
  return call.services.largeRecipes.run(call, useLarge);
}

function passTooMuchSaid(error: unknown): undefined {
  if (!(error instanceof TooMuchSaid)) throw error;
}

/** In turns, because each field of a recipe may be as large as a request. */
function* planOf(
  unread: UnreadRecipe,
  overrides: JsonObject | null,
  approved: ApprovedPrimitives,
  maxSaidLength: number,
): Steps<Plan> {
  const recipe = yield* readConfiguration(unread);
  const count = saidBound(maxSaidLength);
  const composed = yield* compose({ platform: PLATFORM_DEFAULTS, recipe, overrides }, count);
  const { resolved_config, provenance } = composed;
  const unapproved = yield* checkPrimitives(resolved_config, approved, count);
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

/** Holds a plan against a customer's connections. */
export function checkPlan(plan: Plan, connections: readonly ConnectionState[], now: Date): CheckedPlan {
  const { connection_requirements } = plan.resolved_config;
  const missing_connections = findMissingConnections(connection_requirements, connections, now);
  return { ...plan, missing_connections, ready: missing_connections.length === 0 };
}

/** Refuses a plan that is not the one that the client was shown. */
export function expectPlan(plan: Plan, plan_hash: string | null): void {
  if (plan_hash !== null && plan_hash !== plan.plan_hash) {
    throw conflict('The plan has changed since it was checked; check the deploy again');
  }
}
