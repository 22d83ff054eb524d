import type { TenantDb, TenantTx } from '../platform/db/queryable.ts';
import type { Again } from '../platform/queue/jobs.db.ts';
import type { PlanServices } from '../recipes/plans.ts';
import { beginReturn, beginUpgrade } from './carry-out.ts';
import { isWatched, nextStep } from './next-step.ts';
import {
  findProgress,
  giveUpBusy,
  listReady,
  listReturning,
  noteBusy,
  type Progress,
  settleItems,
} from './rollout-items.db.ts';
import {
  endRollout,
  enterBatch,
  lockRollout,
  type RolloutState,
  restUntil,
  stopRollout,
  watchUntil,
} from './rollouts.db.ts';

const AT_ONCE = 5;
/** While upgrades are under way. */
const LOOK_EVERY_MS = 1000;
/** While only messages and models are watched. */
const WATCH_EVERY_MS = 10_000;

/**
 * A job: takes over how upgrades ended, decides, and begins the next ones. Everything that it knows stands in the database, so
 * it goes on after a crash at any moment.
 * @returns when to look again; undefined: it ended, or rests until somebody resumes it
 */
export async function continueRollout(
  services: PlanServices,
  q: TenantDb,
  id: string,
): Promise<Again | undefined> {
  const looked = await q.transaction((tx) => look(tx, id));
  if (!looked) return undefined;
  const { rollout, progress, again, begins } = looked;
  const room = Math.max(0, AT_ONCE - progress.upgrading);
  if (begins === 'upgrades')
    for (const instance_id of await q.run(listReady(id, rollout.batch, room)))
      await beginUpgrade(services, q, rollout, instance_id);
  if (begins === 'returns')
    for (const item of await q.run(listReturning(id, room))) await beginReturn(services, q, rollout, item);
  return again;
}

interface Looked {
  rollout: RolloutState;
  progress: Progress;
  begins?: 'upgrades' | 'returns';
  again: Again | undefined;
}

async function look(tx: TenantTx, id: string): Promise<Looked | undefined> {
  const rollout = await tx.run(lockRollout(id));
  if (!rollout) return undefined;
  const { batch, status } = rollout;
  await tx.run(settleItems(id));
  if (status === 'running' || status === 'rolling_back') await tx.run(noteBusy(id, batch), giveUpBusy(id));
  const progress = await tx.run(findProgress(id, batch));
  const seen = { rollout, progress };
  if (status === 'running') return { ...seen, ...(await step(tx, rollout, progress)) };
  if (status === 'rolling_back') return { ...seen, ...(await stepBack(tx, id, progress)) };
  return { ...seen, again: untilSettled(progress) };
}

type Step = Pick<Looked, 'begins' | 'again'>;

async function step(tx: TenantTx, rollout: RolloutState, progress: Progress): Promise<Step> {
  const { id } = rollout;
  const next = nextStep(rollout, progress, tx.now);
  switch (next.do) {
    case 'stop':
      await tx.run(stopRollout(id, next.because));
      return { again: untilSettled(progress) };
    case 'begin':
      return { begins: 'upgrades', again: { afterMs: LOOK_EVERY_MS } };
    case 'wait':
      return { again: progress.upgrading > 0 ? { afterMs: LOOK_EVERY_MS } : pauseOf(rollout, tx.now) };
    case 'enter':
      await tx.run(enterBatch(id, next.batch));
      return { again: 'now' };
    case 'rest':
      await tx.run(restUntil(id, next.until));
      return { again: 'now' };
    case 'watch':
      await tx.run(watchUntil(id, next.until));
      return { again: 'now' };
    case 'succeed':
      await tx.run(endRollout(id, 'succeeded'));
  }
  return { again: undefined };
}

/** The way back: without batches and pauses. */
async function stepBack(tx: TenantTx, id: string, progress: Progress): Promise<Step> {
  if (progress.to_go_back > 0) return { begins: 'returns', again: { afterMs: LOOK_EVERY_MS } };
  if (progress.upgrading > 0) return { again: { afterMs: LOOK_EVERY_MS } };
  const isWhole = progress.left_behind === 0;
  await tx.run(isWhole ? endRollout(id, 'rolled_back') : stopRollout(id, 'rollback_failed'));
  return { again: undefined };
}

const untilSettled = ({ upgrading }: Progress): Again | undefined =>
  upgrading > 0 ? { afterMs: LOOK_EVERY_MS } : undefined;

function pauseOf(rollout: RolloutState, now: Date): Again {
  const until = rollout.next_batch_at ?? rollout.watched_until ?? now;
  const soon = new Date(now.getTime() + WATCH_EVERY_MS);
  return isWatched(rollout) && soon < until ? soon : until;
}
