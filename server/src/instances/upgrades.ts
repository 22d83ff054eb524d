import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { MissingConnection } from '../connections/missing-connections.ts';
import { isUniqueViolation } from '../platform/db/constraint-errors.ts';
import type { Queryable, TenantDb, TenantTx } from '../platform/db/queryable.ts';
import { conflict, found, ServiceError } from '../platform/errors.ts';
import { pinSkillsOf } from '../recipes/fields/skills.ts';
import { hashOf, limitOverrides, type Plan, type PlanServices } from '../recipes/plans.ts';
import type { RecipeRow } from '../recipes/recipes.db.ts';
import { retentionDays } from '../recipes/retention.ts';
import { withUnset } from './drift.ts';
import { lockInstance, lockPlacement } from './instances.db.ts';
import { enqueueTask, insertTask } from './tasks.db.ts';
import {
  type MemberPlan,
  type Prepared,
  prepareUpgrade,
  type UpgradePlan,
  type UpgradeRequest,
} from './upgrade-plans.ts';
import {
  findUnfinishedTask,
  findUpgradable,
  insertDeploymentUpgrade,
  insertUpgrade,
  type UpgradableRow,
} from './upgrades.db.ts';

/** Without effect. */
export async function planUpgrade(
  services: PlanServices,
  q: Queryable,
  instance_id: string,
  request: UpgradeRequest,
): Promise<UpgradePlan> {
  limitOverrides(request.instance_overrides);
  const { answer, instance } = await prepareUpgrade(services, q, instance_id, request);
  requireAlive(instance);
  return answer;
}

export class ConnectionsMissing extends ServiceError {
  readonly missing_connections: readonly MissingConnection[];

  constructor(missing_connections: readonly MissingConnection[]) {
    super(
      'conflict',
      'The new configuration requires connections that are missing',
      {},
      { missing_connections },
    );
    this.missing_connections = missing_connections;
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
  return inUpgrade(q, (tx) => acceptUpgrade(services, tx, instance_id, request));
}

/** Runs a transaction that accepts an upgrade; again where another upgrade was applied meanwhile. */
export async function inUpgrade<T>(q: TenantDb, work: (tx: TenantTx) => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await q.transaction(work);
    } catch (error) {
      if (error instanceof Upgraded) continue;
      if (!isUniqueViolation(error, 'tasks_one_at_a_time')) throw error;
      throw new OtherTask();
    }
  }
}

/** The instance may take the upgrade later. */
export class OtherTask extends ServiceError {
  constructor() {
    super('conflict', 'Another task of the instance is at work');
  }
}

/** Another upgrade was applied while this one waited for its locks, which depend on the revision. */
class Upgraded extends Error {}

/** Locks the instance until the transaction ends. @returns like `upgrade` */
export async function acceptUpgrade(
  services: PlanServices,
  tx: TenantTx,
  instance_id: string,
  request: UpgradeRequest,
): Promise<UpgradePlan> {
  await lock(tx, instance_id);
  const prepared = await prepareUpgrade(services, tx, instance_id, request);
  const { instance, answer } = prepared;
  requireAlive(instance);
  if (request.plan_hash !== null && request.plan_hash !== answer.plan_hash) {
    throw conflict('The plan has changed since it was shown; ask for it again with dry_run');
  }
  const unfinished = await tx.run(findUnfinishedTask(instance_id));
  if (unfinished) {
    const isSame = unfinished.kind === 'upgrade' && unfinished.plan_hash === answer.plan_hash;
    if (isSame && unfinished.status !== 'canceling') return { ...answer, task_id: unfinished.task_id };
    throw new OtherTask();
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
