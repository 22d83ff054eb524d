import { randomUUID } from 'node:crypto';
import { isUniqueViolation } from '../platform/db/constraint-errors.ts';
import type { TenantDb, TenantTx } from '../platform/db/queryable.ts';
import { conflict, found, invalid } from '../platform/errors.ts';
import { holdRecipe, recipeExists, revisionExists } from '../recipes/recipes.db.ts';
import { inBatches } from './batches.ts';
import { findProgress, forgetBusy, insertItems, listTargets, markToGoBack } from './rollout-items.db.ts';
import {
  DEFAULT_BATCHES,
  DEFAULT_FAILED_UPGRADES,
  DEFAULT_PAUSE_SECONDS,
  type RolloutStatus,
} from './rollouts.contract.ts';
import {
  type Counted,
  deleteSurplus,
  enqueueRollout,
  insertRollout,
  lockRollout,
  pauseRollout,
  type RolloutState,
  resumeRollout,
  rollBackRollout,
  type StopWhen,
  stopRollout,
} from './rollouts.db.ts';

/** Revisions are kept for so long after the end (rollouts.sql). */
const ROLLBACK_DAYS = 7;
const DAY_MS = 86_400_000;

interface RolloutRequest {
  recipe_id: string;
  revision: number;
  /** Percent. */
  batches: readonly number[];
  pause_seconds: number;
  stop_when: StopWhen;
}

interface RolloutWishes {
  revision: number;
  batches?: readonly number[] | null;
  pause_seconds?: number | null;
  stop_when?: { [Bound in keyof StopWhen]?: number | null } | null;
}

/** With the defaults for what was left out. */
export function requestOf(
  recipe_id: string,
  { revision, batches, pause_seconds, stop_when }: RolloutWishes,
): RolloutRequest {
  const request = {
    recipe_id,
    revision,
    batches: batches ?? DEFAULT_BATCHES,
    pause_seconds: pause_seconds ?? DEFAULT_PAUSE_SECONDS,
    stop_when: {
      failed_upgrades: stop_when?.failed_upgrades ?? DEFAULT_FAILED_UPGRADES,
      refused_messages: stop_when?.refused_messages ?? null,
      llm_failures: stop_when?.llm_failures ?? null,
    },
  };
  requireRising(request.batches);
  return request;
}

function requireRising(batches: readonly number[]): void {
  const isRising = batches.every((percent, index) => percent > (batches[index - 1] ?? 0));
  if (!isRising || batches.at(-1) !== 100)
    throw invalid(['body', 'batches'], 'Batches are rising percentages, and the last one is 100');
}

/** Writes the rollout, its instances and its job. @returns its id */
export async function startRollout(q: TenantDb, { stop_when, ...request }: RolloutRequest): Promise<string> {
  const id = randomUUID();
  const { recipe_id, revision, batches } = request;
  await asOnlyOne(q, async (tx) => {
    const { targets } = await tx.run({
      hold: holdRecipe(recipe_id),
      recipe: recipeExists(recipe_id),
      revision: revisionExists(recipe_id, revision),
      targets: listTargets(recipe_id, revision),
    });
    await tx.run(
      insertRollout({ id, ...request, ...stop_when }),
      insertItems(id, inBatches(targets, batches)),
      deleteSurplus(recipe_id),
      enqueueRollout(id),
    );
  });
  return id;
}

type Request = 'pause' | 'resume' | 'stop' | 'rollback';

const FROM: Readonly<Record<Request, readonly RolloutStatus[]>> = {
  pause: ['running'],
  resume: ['paused', 'stopped'],
  stop: ['running', 'paused'],
  rollback: ['paused', 'stopped', 'succeeded'],
};

/** Conflict when the status does not allow the request, or another rollout of the recipe is under way. */
export async function changeRollout(
  q: TenantDb,
  recipe_id: string,
  id: string,
  request: Request,
): Promise<void> {
  await asOnlyOne(q, async (tx) => {
    const { row } = await tx.run({
      hold: holdRecipe(recipe_id),
      recipe: recipeExists(recipe_id),
      row: lockRollout(id),
    });
    const rollout = found('Rollout', row?.recipe_id === recipe_id && row);
    requireAllowed(rollout, request, tx.now);
    if (request === 'pause') await tx.run(pauseRollout(id));
    else if (request === 'stop') await tx.run(stopRollout(id, 'requested'));
    else if (request === 'resume') await resume(tx, rollout);
    else await tx.run(rollBackRollout(id), markToGoBack(id), forgetBusy(id), enqueueRollout(id));
  });
}

function requireAllowed(rollout: RolloutState, request: Request, now: Date): void {
  const { status, has_gone_back, ended_at } = rollout;
  if (!FROM[request].includes(status)) throw conflict(`A rollout that is ${status} takes no ${request}`);
  if (request === 'resume' && has_gone_back)
    throw conflict('A rollout that went back takes no resume; roll back again, or begin another one');
  if (
    request === 'rollback' &&
    ended_at !== null &&
    now.getTime() - ended_at.getTime() > ROLLBACK_DAYS * DAY_MS
  )
    throw conflict(`A rollout goes back for ${ROLLBACK_DAYS} days after its end`);
}

/** Whoever resumes a stopped rollout has seen what stopped it. */
async function resume(tx: TenantTx, rollout: RolloutState): Promise<void> {
  const { id, batch, status } = rollout;
  const progress = await tx.run(findProgress(id, batch));
  const before = status === 'stopped' ? progress : countedBefore(rollout);
  await tx.run(resumeRollout(id, before, progress.waiting === 0), forgetBusy(id), enqueueRollout(id));
}

const countedBefore = ({ failed_before, refused_before, llm_before }: RolloutState): Counted => ({
  failed: failed_before,
  refused: refused_before,
  llm_failed: llm_before,
});

async function asOnlyOne(q: TenantDb, work: (tx: TenantTx) => Promise<void>): Promise<void> {
  try {
    await q.transaction(work);
  } catch (error) {
    if (!isUniqueViolation(error, 'rollouts_one_at_a_time')) throw error;
    throw conflict('Another rollout of the recipe is under way');
  }
}
