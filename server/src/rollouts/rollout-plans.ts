import { planUpgrade } from '../instances/upgrades.ts';
import type { TenantDb } from '../platform/db/queryable.ts';
import { sizeOf } from '../platform/json/json-size.ts';
import type { PlanServices } from '../recipes/plans.ts';
import { findRecipe, recipeExists, revisionExists } from '../recipes/recipes.db.ts';
import { inBatches } from './batches.ts';
import { FAILED, missingWords, refusalOf } from './refusals.ts';
import { type ItemRow, listTargets, type TargetRow } from './rollout-items.db.ts';

/** The plans of a page; beyond it, each instance's own upgrade tells. */
const PAGE_BYTES = 4 * 1024 * 1024;

interface Wanted {
  recipe_id: string;
  revision: number;
  batches: readonly number[];
}

type UpgradePlan = Awaited<ReturnType<typeof planUpgrade>>;
type ShownPlan = Pick<UpgradePlan, 'plan_hash' | 'ready' | 'missing_connections' | 'violations' | 'changes'>;

interface PlannedItem extends ItemRow {
  plan: ShownPlan | null;
}

/** A page of what a rollout would do. Without effect. */
export async function planRollout(
  services: PlanServices,
  q: TenantDb,
  { recipe_id, revision, batches }: Wanted,
  { page, per_page }: { page: number; per_page: number },
) {
  const { row, targets } = await q.run({
    recipe: recipeExists(recipe_id),
    row: findRecipe(recipe_id),
    revision: revisionExists(recipe_id, revision),
    targets: listTargets(recipe_id, revision),
  });
  const items: PlannedItem[] = [];
  let bytes = 0;
  for (const target of inBatches(targets, batches).slice((page - 1) * per_page, page * per_page)) {
    const planned = await planItem(services, q, target, revision);
    bytes += sizeOf(planned.plan).bytes;
    items.push(bytes <= PAGE_BYTES ? planned : withoutPlan(planned));
  }
  const recipe_name = row?.name ?? null;
  const total = targets.length;
  return { recipe_id, recipe_name, revision, batches: [...batches], items, page, per_page, total };
}

const withoutPlan = (planned: PlannedItem): PlannedItem => ({
  ...planned,
  error: planned.error ?? 'The page is full; upgrade_instance with dry_run shows the plan',
  plan: null,
});

async function planItem(
  services: PlanServices,
  q: TenantDb,
  { status, ...target }: TargetRow & { batch: number },
  revision: number,
): Promise<PlannedItem> {
  const skipped = { ...target, status: 'skipped' as const, plan: null };
  if (status === 'failed') return { ...skipped, error: FAILED };
  try {
    const request = { revision, instance_overrides: null, plan_hash: null };
    const { plan_hash, ready, missing_connections, violations, changes } = await planUpgrade(
      services,
      q,
      target.instance_id,
      request,
    );
    const plan = { plan_hash, ready, missing_connections, violations, changes };
    if (!ready) return { ...skipped, error: missingWords(missing_connections), plan };
    return { ...target, status: 'waiting', error: null, plan };
  } catch (error) {
    return { ...skipped, error: refusalOf(error) };
  }
}
