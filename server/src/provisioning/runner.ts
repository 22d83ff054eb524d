import { randomUUID } from 'node:crypto';
import { wakeClosedConversations } from '../customers/closed-conversations.db.ts';
import { insertStepEvent } from '../instances/instance-events.db.ts';
import { lockInstance, moveInstance } from '../instances/instances.db.ts';
import { outcomeMoves, startMove } from '../instances/lifecycle.ts';
import type { TaskKind } from '../instances/tasks.contract.ts';
import {
  beginStep,
  enqueueNextStart,
  failTask,
  finishStep,
  finishTask,
  hasOtherUnfinishedTask,
  isRunnersTask,
  listBegunSteps,
  lockStarting,
  lockTask,
  noteTaskError,
  takeTask,
} from '../instances/tasks.db.ts';
import { deleteUpgrade, findUpgradable } from '../instances/upgrades.db.ts';
import type { TenantTx } from '../platform/db/queryable.ts';
import type { Query } from '../platform/db/sql.ts';
import type { Log } from '../platform/ports.ts';
import type { Again } from '../platform/queue/jobs.db.ts';
import { unwantRuntime } from '../runtimes/runtime-hosts.db.ts';
import { ClaimedTask } from './claimed-task.ts';
import { NotYet, PermanentFailure, TakenOver } from './failures.ts';
import type { Step, StepServices } from './step.ts';
import { releaseAll, stepsOf } from './steps.ts';
import type { TaskMetrics } from './task-metrics.ts';

/** A fallback: the end of a task enqueues the next one that waits to provision. */
const RETRY_AFTER_MS = 5000;

interface RunnerServices extends StepServices {
  taskMetrics: TaskMetrics;
  log: Log;
}

/**
 * Runs a task from its current step. Throws for a retry; the last attempt undoes the task instead. The start and end of each
 * step are recorded, so another runner can continue after a kill.
 * @returns when to retry a task that waits because the tenant's limit of tasks that provision is reached
 */
export async function runTask(
  services: RunnerServices,
  { tenant_id, task_id }: { tenant_id: string; task_id: string },
  { lastAttempt }: { lastAttempt: boolean },
): Promise<Again | undefined> {
  const q = services.db.tenant(tenant_id);
  const runner_id = randomUUID();
  const { row } = await q.run({
    lock: lockTask(task_id),
    lockStarting: lockStarting(),
    row: takeTask(task_id, runner_id),
  });
  if (!row || row.is_waiting) return undefined;
  if (row.status === 'queued') return { afterMs: RETRY_AFTER_MS };
  const task = new ClaimedTask(q, row, runner_id);
  try {
    if (row.status === 'canceling') await undoOrGiveUp(services, task, 'canceled', 'Canceled', lastAttempt);
    else if (row.is_failing) await undoOrGiveUp(services, task, 'failed', row.error ?? '', lastAttempt);
    else await execute(services, task, lastAttempt);
  } catch (error) {
    if (!(error instanceof TakenOver)) throw error;
  }
  return undefined;
}

async function execute(services: RunnerServices, task: ClaimedTask, lastAttempt: boolean): Promise<void> {
  const { q, task_id, instance_id } = task;
  if (task.kind === 'terminate' && (await q.run(hasOtherUnfinishedTask(instance_id, task_id)))) {
    throw new Error('Another task of the instance is being undone');
  }
  try {
    await runSteps(services, task);
    await finish(services, task, 'succeeded', null);
  } catch (error) {
    if (error instanceof TakenOver) return undoIfCanceled(services, task);
    if (error instanceof NotYet) return waitOrUndo(services, task, error);
    const message = messageOf(error);
    const ids = { tenant_id: q.tenant_id, task_id, instance_id };
    services.log.warn({ ...ids, err: error }, 'a task step failed');
    if (!(await q.run(isRunnersTask(task, 'running')))) return undoIfCanceled(services, task);
    await q.run(noteTaskError(task_id, message));
    const isPermanent = error instanceof PermanentFailure || lastAttempt;
    if (!isPermanent || cannotBeUndone(task.kind)) throw error;
    await q.run(failTask(task));
    return undo(services, task, 'failed', message);
  }
}

/** These tasks are retried until they succeed, because their first step already ended something. */
const cannotBeUndone = (kind: TaskKind) => kind === 'terminate' || kind === 'stop' || kind === 'leave';

/** Does nothing when another runner has the task. */
async function undoIfCanceled(services: RunnerServices, task: ClaimedTask): Promise<void> {
  if (await task.q.run(isRunnersTask(task, 'canceling'))) await undo(services, task, 'canceled', 'Canceled');
}

/** A cancellation ends the waiting. */
async function waitOrUndo(services: RunnerServices, task: ClaimedTask, error: NotYet): Promise<void> {
  if (await task.q.run(isRunnersTask(task, 'running'))) throw error;
  await undoIfCanceled(services, task);
}

async function runSteps(services: RunnerServices, task: ClaimedTask): Promise<void> {
  const steps = stepsOf[task.kind];
  let ended: Step | undefined;
  for (const [index, step] of steps.entries()) {
    if (step.applies && !(await step.applies(task))) continue;
    const progress = Math.round((index / steps.length) * 100);
    const begin = beginStep(task, step.name, progress);
    const began = index === 0 ? await beginFirst(task, begin) : await beginNext(task, ended, begin);
    if (!began) throw new TakenOver();
    if (!began.done) await step.run(task, services);
    ended = began.done ? undefined : step;
  }
  if (ended) await task.q.run(noteEnd(task, ended));
}

/** The same transaction changes the instance's status, unless an earlier attempt did. */
function beginFirst<T>(task: ClaimedTask, begin: Query<T>): Promise<T> {
  const move = startMove(task.kind);
  if (!move) return task.q.run(begin);
  return task.asRunner(async (tx) => {
    const message = 'Provisioning began';
    const { began } = await tx.run({
      moved: moveInstance(task.instance_id, { ...move, message }),
      began: begin,
    });
    return began;
  });
}

/** Records the end of the previous step in the same round trip, which saves a commit per step. */
async function beginNext<T>(task: ClaimedTask, ended: Step | undefined, begin: Query<T>): Promise<T> {
  if (!ended) return task.q.run(begin);
  const { began } = await task.q.run({ ...noteEnd(task, ended), began: begin });
  return began;
}

/** Run it before other changes of the task: every transaction locks the instance, the task and its steps in this order. */
const noteEnd = (task: ClaimedTask, step: Step) => ({
  event: insertStepEvent(task, step),
  finished: finishStep(task, step.name, 'done'),
});

/** Undoes the begun steps in reverse order, then ends the task. Throws for a retry. */
async function undo(
  services: RunnerServices,
  task: ClaimedTask,
  status: 'failed' | 'canceled',
  error: string,
): Promise<void> {
  const begun = new Set(await task.q.run(listBegunSteps(task.task_id)));
  for (const step of stepsOf[task.kind].toReversed()) {
    if (!step.undo || !(begun.has(step.name) || step.alwaysUndone)) continue;
    await step.undo(task, services);
    await task.q.run(finishStep(task, step.name, 'undone'));
  }
  await finish(services, task, status, error);
}

/** An upgrade that cannot be undone leaves a failed instance, which `retry` provisions again. */
async function undoOrGiveUp(
  services: RunnerServices,
  task: ClaimedTask,
  status: 'failed' | 'canceled',
  error: string,
  lastAttempt: boolean,
): Promise<void> {
  try {
    await undo(services, task, status, error);
  } catch (failure) {
    const isPermanent = failure instanceof PermanentFailure || lastAttempt;
    const isRetried = failure instanceof NotYet || failure instanceof TakenOver || !isPermanent;
    if (task.kind !== 'upgrade' || isRetried) throw failure;
    services.log.warn({ task_id: task.task_id, err: failure }, 'an upgrade could not be undone');
    await finish(services, task, status, `${error}; undoing it: ${messageOf(failure)}`.slice(0, 500), true);
  }
}

/** In one transaction with the instance's change of status. */
async function finish(
  services: RunnerServices,
  task: ClaimedTask,
  status: 'succeeded' | 'failed' | 'canceled',
  error: string | null,
  isBroken = false,
): Promise<void> {
  const { q, kind, task_id, instance_id } = task;
  const isFinished = await q.transaction(async (tx) => {
    const { isEnded } = await tx.run({
      lock: lockInstance(instance_id),
      isEnded: finishTask(task, status, error),
    });
    if (!isEnded) return false;
    // Until now the instance could still get keys or certificates, even after its steps were undone.
    if (kind === 'provision' && status === 'canceled') await releaseAll(tx, instance_id);
    for (const move of outcomeMoves(kind, status)) {
      if (!(await tx.run(moveInstance(instance_id, { ...move, message: error })))) break;
    }
    if (kind === 'provision') await tx.run(lockStarting(), enqueueNextStart());
    if (kind === 'upgrade') await endUpgrade(tx, task, error, isBroken);
    if (kind === 'restart' || kind === 'move')
      await tx.run(insertStepEvent(task, renewalEnd(kind, status, error)));
    return true;
  });
  if (!isFinished) return undoIfCanceled(services, task);
  services.taskMetrics.count(kind, status);
  services.log.info({ tenant_id: q.tenant_id, task_id, kind, status }, 'task finished');
}

const RENEWALS = {
  restart: { done: 'Restarted', otherwise: 'the runtime is tried further' },
  move: {
    done: 'Moved to another cluster',
    otherwise: 'it starts again where it was, if that is within reach',
  },
};

function renewalEnd(
  name: keyof typeof RENEWALS,
  status: 'succeeded' | 'failed' | 'canceled',
  error: string | null,
) {
  const { done, otherwise } = RENEWALS[name];
  if (status === 'succeeded') return { name, message: done };
  const what = status === 'failed' ? `The ${name} failed: ${error}` : `The ${name} was canceled`;
  return { name, message: `${what} (${otherwise})`.slice(0, 500) };
}

async function endUpgrade(
  tx: TenantTx,
  task: ClaimedTask,
  error: string | null,
  isBroken: boolean,
): Promise<void> {
  const { task_id, instance_id } = task;
  const instance = await tx.run(findUpgradable(instance_id));
  const message = error ? `Undone: ${error}` : `Upgraded to revision ${instance?.recipe_revision}`;
  if (isBroken) {
    await tx.run(
      moveInstance(instance_id, { from: ['running'], to: 'failed', message: error }),
      unwantRuntime(instance_id),
    );
  } else await tx.run(insertStepEvent(task, { name: 'upgrade', message: message.slice(0, 500) }));
  await tx.run(deleteUpgrade(task_id), wakeClosedConversations({ instance_id }));
}

/** For clients; at most 500 characters. */
const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error)).slice(0, 500);
