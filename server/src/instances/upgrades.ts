import { createHash, randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type ConnectionState, listConnectionStates } from '../connections/connections.db.ts';
import { findMissingConnections, type MissingConnection } from '../connections/missing-connections.ts';
import { isUniqueViolation } from '../platform/db/constraint-errors.ts';
import type { Queryable, TenantDb, TenantTx } from '../platform/db/queryable.ts';
import { conflict, found, invalid, ServiceError } from '../platform/errors.ts';
import { type JsonObject, ownMember } from '../platform/json/json-object.ts';
import type { Effects } from '../recipes/composition/effects.ts';
import type { Violation } from '../recipes/composition/violations.ts';
import { connectionNeeds } from '../recipes/connection-needs.ts';
import { pinSkillsOf } from '../recipes/fields/skills.ts';
import {
  findSurroundings,
  hashOf,
  limitOverrides,
  limitResolved,
  type Plan,
  type PlanServices,
  planFor,
  planOf,
} from '../recipes/plans.ts';
import { findRecipe, findRevisionContent, type RecipeRow } from '../recipes/recipes.db.ts';
import { retentionDays } from '../recipes/retention.ts';
import type { Known } from '../recipes/surroundings.db.ts';
import { type Change, listChanges, withUnset } from './drift.ts';
import { lockInstance, lockPlacement } from './instances.db.ts';
import { enqueueTask, insertTask } from './tasks.db.ts';
import {
  findUnfinishedTask,
  findUpgradable,
  insertDeploymentUpgrade,
  insertUpgrade,
  listMembers,
  type MemberRow,
  type UpgradableRow,
} from './upgrades.db.ts';

interface UpgradeRequest {
  /** null: the latest. */
  revision: number | null;
  /** null: the instance's own. */
  instance_overrides: JsonObject | null;
  plan_hash: string | null;
}

/** The plan is that of the deployment that created the instance. */
interface UpgradePlan {
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

interface MemberPlan {
  member: MemberRow;
  overrides: JsonObject | null;
  plan: Plan;
  /** Missing connections that the running configuration does not need; they block the upgrade. */
  missing: MissingConnection[];
}

interface Prepared {
  instance: UpgradableRow;
  recipe: RecipeRow;
  members: readonly MemberPlan[];
  first: MemberPlan;
  answer: UpgradePlan;
}

/** Without effect. */
export async function planUpgrade(
  services: PlanServices,
  q: Queryable,
  instance_id: string,
  request: UpgradeRequest,
): Promise<UpgradePlan> {
  limitOverrides(request.instance_overrides);
  const { answer, instance } = await prepare(services, q, instance_id, request);
  requireAlive(instance);
  return answer;
}

class ConnectionsMissing extends ServiceError {
  constructor(missing_connections: readonly MissingConnection[]) {
    super(
      'conflict',
      'The new configuration requires connections that are missing',
      {},
      {
        missing_connections,
      },
    );
  }
}

/**
 * Writes the task, its job and the plan of each deployment. The task uses these plans, so later changes of the recipe have
 * no effect.
 * @returns the plan with its task, which may be that of the same upgrade under way; `task_id` null: nothing to change
 */
export async function upgrade(
  services: PlanServices,
  q: TenantDb,
  instance_id: string,
  request: UpgradeRequest,
): Promise<UpgradePlan> {
  limitOverrides(request.instance_overrides);
  for (;;) {
    try {
      return await q.transaction((tx) => accept(services, tx, instance_id, request));
    } catch (error) {
      if (error instanceof Upgraded) continue;
      if (!isUniqueViolation(error, 'tasks_one_at_a_time')) throw error;
      throw otherTask();
    }
  }
}

/** Another upgrade was applied while this one waited for its locks, which depend on the revision. */
class Upgraded extends Error {}

async function accept(
  services: PlanServices,
  tx: TenantTx,
  instance_id: string,
  request: UpgradeRequest,
): Promise<UpgradePlan> {
  await lock(tx, instance_id);
  const prepared = await prepare(services, tx, instance_id, request);
  const { instance, answer } = prepared;
  requireAlive(instance);
  if (request.plan_hash !== null && request.plan_hash !== answer.plan_hash) {
    throw conflict('The plan has changed since it was shown; ask for it again with dry_run');
  }
  const unfinished = await tx.run(findUnfinishedTask(instance_id));
  if (unfinished) {
    const isSame = unfinished.kind === 'upgrade' && unfinished.plan_hash === answer.plan_hash;
    if (isSame && unfinished.status !== 'canceling') return { ...answer, task_id: unfinished.task_id };
    throw otherTask();
  }
  if (!UPGRADABLE.has(instance.status))
    throw conflict(`An instance that is ${instance.status} cannot upgrade`);
  if (prepared.members.every(isUnchanged(prepared.recipe))) return answer;
  if (!answer.ready) throw new ConnectionsMissing(answer.missing_connections);
  return { ...answer, task_id: await write(tx, prepared) };
}

/** A deploy that joins the shared instance takes the same lock, so either this sees the deploy, or the deploy sees the task. */
async function lock(tx: TenantTx, instance_id: string): Promise<void> {
  const before = found('Instance', await tx.run(findUpgradable(instance_id)));
  if (before.hosting_mode === 'shared') {
    await tx.run(lockPlacement(before.recipe_id, before.recipe_revision, before.region_id));
  }
  await tx.run(lockInstance(instance_id));
  const now = found('Instance', await tx.run(findUpgradable(instance_id)));
  if (now.recipe_revision !== before.recipe_revision) throw new Upgraded();
}

/** Failed and stopped instances apply the configuration at their next retry or start. */
const UPGRADABLE: ReadonlySet<string> = new Set(['running', 'stopped', 'failed']);

function requireAlive({ status }: UpgradableRow): void {
  if (status === 'terminating' || status === 'terminated') {
    throw conflict(`An instance that is ${status} cannot upgrade`);
  }
}

const otherTask = () => conflict('Another task of the instance is at work');

async function prepare(
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

/** Includes the retention, which is 0 for deployments of earlier versions. */
const isUnchanged =
  (recipe: RecipeRow) =>
  ({ member, overrides, plan }: MemberPlan): boolean =>
    member.recipe_revision === recipe.revision &&
    member.retention_days === retentionDays(plan.resolved_config) &&
    isDeepStrictEqual(member.instance_overrides ?? {}, overrides ?? {}) &&
    hashOf(recipe, withUnset(member.resolved_config)) === plan.plan_hash;

async function write(tx: TenantTx, { instance, recipe, members, first, answer }: Prepared): Promise<string> {
  const task_id = randomUUID();
  const { resolved_config, provenance, effects, applied_manifest_id } = first.plan;
  const task = {
    id: task_id,
    instance_id: instance.id,
    deployment_id: first.member.id,
    kind: 'upgrade',
  } as const;
  const upgraded = {
    task_id,
    plan_hash: answer.plan_hash,
    recipe_revision: recipe.revision,
    template_name: recipe.name,
    manifest_id: resolved_config.manifest_id,
    resolved_config,
    provenance,
    effects,
    applied_manifest_id,
    pin_skills: [...new Set(members.flatMap(newPinSkills))],
  };
  await tx.run(insertTask(task), insertUpgrade(upgraded));
  await tx.runAll(
    members.map(({ member, overrides, plan }) =>
      insertDeploymentUpgrade({
        task_id,
        deployment_id: member.id,
        recipe_revision: recipe.revision,
        plan_hash: plan.plan_hash,
        instance_overrides: overrides,
        resolved_config: plan.resolved_config,
        retention_days: retentionDays(plan.resolved_config),
        onboarding_flow_id: flowOf(plan),
      }),
    ),
  );
  await tx.run(enqueueTask(task_id));
  return task_id;
}

/** null: no flow, or one that the tenant does not have. */
const flowOf = ({ effects, resolved_config }: Plan): string | null =>
  effects['/onboarding_flow_id'] === 'control_plane' ? resolved_config.onboarding_flow_id : null;

/** Only newly required skills, because an admin may have removed earlier ones from the policy. */
function newPinSkills({ member, plan }: MemberPlan): string[] {
  const former = new Set(pinSkillsOf(withUnset(member.resolved_config)));
  return pinSkillsOf(plan.resolved_config).filter((slug) => !former.has(slug));
}
