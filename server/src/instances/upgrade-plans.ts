import { createHash } from 'node:crypto';
import { type ConnectionState, listConnectionStates } from '../connections/connections.db.ts';
import { findMissingConnections, type MissingConnection } from '../connections/missing-connections.ts';
import type { Queryable } from '../platform/db/queryable.ts';
import { found, invalid } from '../platform/errors.ts';
import { type JsonObject, ownMember } from '../platform/json/json-object.ts';
import type { Effects } from '../recipes/composition/effects.ts';
import type { Violation } from '../recipes/composition/violations.ts';
import { connectionNeeds } from '../recipes/connection-needs.ts';
import {
  findSurroundings,
  limitResolved,
  type Plan,
  type PlanServices,
  planFor,
  planOf,
} from '../recipes/plans.ts';
import { findRecipe, findRevisionContent, type RecipeRow } from '../recipes/recipes.db.ts';
import type { Known } from '../recipes/surroundings.db.ts';
import { type Change, listChanges, withUnset } from './drift.ts';
import { findUpgradable, listMembers, type MemberRow, type UpgradableRow } from './upgrades.db.ts';

export interface UpgradeRequest {
  /** null: the latest. */
  revision: number | null;
  /** null: the instance's own. */
  instance_overrides: JsonObject | null;
  plan_hash: string | null;
}

/** The plan is that of the deployment that created the instance. */
export interface UpgradePlan {
  /** null: nothing was enqueued. */
  task_id: string | null;
  template_name: string;
  resolved_config: JsonObject;
  effects: Effects;
  violations: Violation[];
  plan_hash: string;
  ready: boolean;
  missing_connections: MissingConnection[];
  deployed_revision: number;
  revision: number;
  changes: Change[];
}

export interface MemberPlan {
  member: MemberRow;
  overrides: JsonObject | null;
  plan: Plan;
  /** Missing connections that the running configuration does not need; they block the upgrade. */
  missing: MissingConnection[];
}

export interface Prepared {
  instance: UpgradableRow;
  recipe: RecipeRow;
  members: readonly MemberPlan[];
  first: MemberPlan;
  answer: UpgradePlan;
}

/** Composes every deployment of the instance once. */
export async function prepareUpgrade(
  services: PlanServices,
  q: Queryable,
  instance_id: string,
  request: UpgradeRequest,
): Promise<Prepared> {
  const [row, rows, known] = await q.run(
    findUpgradable(instance_id),
    listMembers(instance_id),
    findSurroundings(services),
  );
  const instance = found('Instance', row);
  if (instance.hosting_mode === 'shared' && request.instance_overrides !== null) {
    const reason = 'Each deployment of a shared instance keeps its own overrides';
    throw invalid(['body', 'instance_overrides'], reason);
  }
  const recipe = await recipeAt(q, instance.recipe_id, request.revision);
  const states = await connectionsOf(q, rows);
  const compose = composerOf(recipe, known);
  const members = rows.map((member) => {
    const overrides = overridesOf(member, request.instance_overrides);
    const plan = compose(overrides);
    limitResolved(plan.resolved_config, request.instance_overrides);
    return { member, overrides, plan, missing: newlyMissing(member, plan, states) };
  });
  const first = found('Deployment', members[0]);
  return { instance, recipe, members, first, answer: answerOf(instance, recipe, members, first) };
}

function answerOf(
  instance: UpgradableRow,
  recipe: RecipeRow,
  members: readonly MemberPlan[],
  { plan, member }: MemberPlan,
): UpgradePlan {
  const { violations } = planFor(plan, member);
  const resolved_config: JsonObject = { ...plan.resolved_config };
  const missing = new Map(
    members.flatMap((each) => each.missing).map((one) => [JSON.stringify([one.provider, one.name]), one]),
  );
  return {
    task_id: null,
    template_name: recipe.name,
    resolved_config,
    effects: plan.effects,
    violations,
    plan_hash: instance.hosting_mode === 'shared' ? hashOfAll(members) : plan.plan_hash,
    ready: missing.size === 0,
    missing_connections: [...missing.values()],
    deployed_revision: instance.recipe_revision,
    revision: recipe.revision,
    changes: listChanges('', withUnset(instance.resolved_config), resolved_config),
  };
}

/** Includes the deployments' ids, so that a customer who joins or leaves changes the plan. */
function hashOfAll(members: readonly MemberPlan[]): string {
  const all = members.map(({ member, plan }) => `${member.id} ${plan.plan_hash}`).toSorted();
  return createHash('sha256').update(all.join('\n')).digest('hex');
}

async function recipeAt(q: Queryable, recipe_id: string, revision: number | null): Promise<RecipeRow> {
  const recipe = found('Recipe', await q.run(findRecipe(recipe_id)));
  if (revision === null || revision === recipe.revision) return recipe;
  const content = found('Revision', await q.run(findRevisionContent(recipe_id, revision)));
  return { ...recipe, ...content, revision };
}

/** Caches plans, because most deployments of a shared instance have no overrides. */
function composerOf(recipe: RecipeRow, known: Known): (overrides: JsonObject | null) => Plan {
  const plans = new Map<string, Plan>();
  return (overrides) => {
    const key = JSON.stringify(overrides);
    const plan = plans.get(key) ?? planOf(recipe, overrides, known);
    plans.set(key, plan);
    return plan;
  };
}

/** A deploy's own manifest stays unless the new overrides have one. */
function overridesOf({ instance_overrides: own }: MemberRow, given: JsonObject | null): JsonObject | null {
  if (given === null) return own;
  const manifest_id = own === null ? undefined : ownMember(own, 'manifest_id');
  return manifest_id === undefined ? given : { manifest_id, ...given };
}

async function connectionsOf(
  q: Queryable,
  members: readonly MemberRow[],
): Promise<ReadonlyMap<string, ConnectionState[]>> {
  const served = members.flatMap(({ customer_id, is_served }) =>
    customer_id !== null && is_served ? [customer_id] : [],
  );
  const ids = [...new Set(served)];
  const states = await q.runAll(ids.map((id) => listConnectionStates(id)));
  return new Map(ids.map((id, index) => [id, states[index] ?? []]));
}

function newlyMissing(
  { customer_id, is_served, resolved_config }: MemberRow,
  plan: Plan,
  states: ReadonlyMap<string, ConnectionState[]>,
): MissingConnection[] {
  const connections = customer_id !== null && is_served ? states.get(customer_id) : undefined;
  if (!connections) return [];
  const known = findMissingConnections(connectionNeeds(resolved_config), connections);
  return findMissingConnections(connectionNeeds({ ...plan.resolved_config }), connections).filter(
    ({ provider, name }) => !known.some((one) => one.provider === provider && one.name === name),
  );
}
