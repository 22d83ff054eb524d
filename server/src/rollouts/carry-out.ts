import { findUpgradable } from '../instances/upgrades.db.ts';
import { acceptUpgrade, inUpgrade, OtherTask } from '../instances/upgrades.ts';
import type { TenantDb } from '../platform/db/queryable.ts';
import { conflict } from '../platform/errors.ts';
import type { PlanServices } from '../recipes/plans.ts';
import { FAILED, refusalOf } from './refusals.ts';
import {
  claimItem,
  claimReturn,
  hasItStill,
  leaveFailed,
  noteReturn,
  noteUpgrade,
  type ReturningItem,
  refuseReturn,
  skipItem,
} from './rollout-items.db.ts';
import { holdStatus, type RolloutState } from './rollouts.db.ts';

const OWN_OVERRIDES = { instance_overrides: null, plan_hash: null };

/**
 * One transaction claims the instance, writes its upgrade and notes it, so a crash leaves either nothing or all of it, and a
 * rollout that was paused meanwhile begins nothing. Another task of the instance leaves it waiting.
 */
export async function beginUpgrade(
  services: PlanServices,
  q: TenantDb,
  { id, revision }: RolloutState,
  instance_id: string,
): Promise<void> {
  try {
    await inUpgrade(q, async (tx) => {
      const isOurs = (await tx.run(holdStatus(id, 'running'))) && (await tx.run(claimItem(id, instance_id)));
      if (!isOurs) return;
      const plan = await acceptUpgrade(services, tx, instance_id, { revision, ...OWN_OVERRIDES });
      const instance = await tx.run(findUpgradable(instance_id));
      if (instance?.status === 'failed') throw conflict(FAILED);
      const { task_id, deployed_revision: from_revision } = plan;
      if (task_id === null) throw conflict('It has the revision already');
      await tx.run(noteUpgrade(id, instance_id, { task_id, from_revision }));
    });
  } catch (error) {
    if (error instanceof OtherTask) return;
    await q.run(skipItem(id, instance_id, refusalOf(error)));
  }
}

/** Somebody upgraded it again, or ended it. */
class NothingToGoBack extends Error {}

/** The same for the way back. */
export async function beginReturn(
  services: PlanServices,
  q: TenantDb,
  { id, revision }: RolloutState,
  item: ReturningItem,
): Promise<void> {
  const { instance_id, from_revision } = item;
  try {
    if (!(await q.run(hasItStill(item, revision)))) throw new NothingToGoBack();
    await inUpgrade(q, async (tx) => {
      const isOurs =
        (await tx.run(holdStatus(id, 'rolling_back'))) && (await tx.run(claimReturn(id, instance_id)));
      if (!isOurs) return;
      const { task_id } = await acceptUpgrade(services, tx, instance_id, {
        revision: from_revision,
        ...OWN_OVERRIDES,
      });
      // The instance is locked from here on.
      if (task_id === null || !(await tx.run(hasItStill(item, revision)))) throw new NothingToGoBack();
      await tx.run(noteReturn(id, instance_id, task_id));
    });
  } catch (error) {
    if (error instanceof OtherTask) return;
    if (!(error instanceof NothingToGoBack))
      await q.run(refuseReturn(id, instance_id, 'failed', refusalOf(error)));
    else if (item.status === 'failed') await q.run(leaveFailed(id, instance_id));
    else await q.run(refuseReturn(id, instance_id, 'skipped', 'It was upgraded again, or terminated, since'));
  }
}
