import { randomUUID } from 'node:crypto';
import { tenantScope } from '../../platform/db/queryable.ts';
import type { Services } from '../../services.ts';
import { lockInstance, moveInstance } from '../instances.db.ts';
import { outcomeMoves, startMove } from '../lifecycle.ts';
import type { TaskKind } from '../tasks.contract.ts';
import {
  type BeganStep,
  beginStep,
  finishStep,
  finishTask,
  hasOtherWork,
  isRunnersTask,
  listBegunSteps,
  noteTaskError,
  takeTask,
} from '../tasks.db.ts';
import { newRun, noteEnd, type Run } from './claimed-task.ts';
import { NotYet, PermanentFailure, TakenOver } from './failures.ts';
import { releaseAll, type Step, stepsOf } from './steps.ts';

/**
 * Runs a task from where it stands. Throws when it should be tried again; on the last attempt it undoes what was done
 * instead. Each step is noted before and after, so a runner that is killed is followed by one that goes on from there.
 */
export async function runTask(
  services: Services,
  { tenant_id, task_id }: { tenant_id: string; task_id: string },
  { lastAttempt }: { lastAttempt: boolean },
): Promise<void> {
  const q = services.db.tenant(tenant_id);
  const runner_id = randomUUID();
  const task = await takeTask(q, task_id, runner_id, services.clock());
  if (!task) return;
  const run = newRun(services, tenant_id, task, runner_id);
  try {
    await (task.status === 'canceling' ? undo(run, 'canceled', 'Canceled') : carryOut(run, lastAttempt));
  } catch (error) {
    if (!(error instanceof TakenOver)) throw error;
  }
}

async function carryOut(run: Run, lastAttempt: boolean): Promise<void> {
  const { services, q, tenant_id, task } = run;
  const { task_id } = task;
  if (task.kind === 'terminate' && (await hasOtherWork(q, task.instance_id, task_id))) {
    throw new Error('Another task of the instance is being undone');
  }
  try {
    await finish(run, 'succeeded', null, await runSteps(run));
  } catch (error) {
    if (error instanceof TakenOver) return resume(run);
    const message = messageOf(error);
    services.log.warn(
      { tenant_id, task_id, instance_id: task.instance_id, err: error },
      'a task step failed',
    );
    if (!(await run.isWanted())) return resume(run);
    await noteTaskError(q, task_id, message, services.clock());
    const isForGood = error instanceof PermanentFailure || (lastAttempt && !(error instanceof NotYet));
    if (isForGood && !hasNoWayBack(task.kind)) return undo(run, 'failed', message);
    throw error;
  }
}

/** What ends a runtime is tried until it is done: by its first step nobody wants the runtime any more. */
const hasNoWayBack = (kind: TaskKind) => kind === 'terminate' || kind === 'stop';

/** A cancellation is this runner's to carry out; where there is another, it leaves the task alone. */
async function resume(run: Run): Promise<void> {
  const { q, task, runner_id } = run;
  if (await isRunnersTask(q, task.task_id, runner_id, 'canceling')) await undo(run, 'canceled', 'Canceled');
}

/** @returns the step whose end is still to be noted */
async function runSteps(run: Run): Promise<Step | undefined> {
  const { services, q, task, runner_id } = run;
  const { task_id } = task;
  const steps = stepsOf[task.kind];
  let ended: Step | undefined;
  for (const [index, step] of steps.entries()) {
    const progress = Math.round((index / steps.length) * 100);
    const begin = { task_id, runner_id, step: step.name, progress, now: services.clock() };
    const state =
      index === 0
        ? await beginFirstStep(run, begin)
        : await noteEnd(run, q, ended, begin.now, () => beginStep(q, begin));
    if (!state) throw new TakenOver();
    if (!state.done) await step.run(run);
    ended = state.done ? undefined : step;
  }
  return ended;
}

/** With it the instance moves, or not at all. A second run finds it moved already, and moves nothing. */
async function beginFirstStep(run: Run, begin: BeganStep): ReturnType<typeof beginStep> {
  const { q, task } = run;
  const move = startMove(task.kind);
  if (!move) return beginStep(q, begin);
  return run.asRunner(async (tx) => {
    const message = 'Provisioning began';
    const [, state] = await Promise.all([
      moveInstance(tx, task.instance_id, { ...move, step: null, message, now: begin.now }),
      beginStep(tx, begin),
    ]);
    return state;
  });
}

/** Takes back what was begun, newest first, then ends the task. Throws, to be tried again, when that fails too. */
async function undo(run: Run, status: 'failed' | 'canceled', error: string): Promise<void> {
  const { services, q, task, runner_id } = run;
  const begun = new Set((await listBegunSteps(q, task.task_id)).map(({ step }) => step));
  for (const step of stepsOf[task.kind].toReversed()) {
    if (!step.undo || !(begun.has(step.name) || step.undoneAlways)) continue;
    await step.undo(run);
    const { task_id } = task;
    await finishStep(q, { task_id, runner_id, step: step.name, status: 'undone', now: services.clock() });
  }
  await finish(run, status, error);
}

/** Ends the task with its last step and moves the instance, together. */
async function finish(
  run: Run,
  status: 'succeeded' | 'failed' | 'canceled',
  error: string | null,
  last?: Step,
): Promise<void> {
  const { services, tenant_id, task, runner_id } = run;
  const now = services.clock();
  const moves = outcomeMoves(task.kind, status);
  const finished = await services.db.transaction(tenantScope(tenant_id), async (tx) => {
    const end = { task_id: task.task_id, runner_id, status, error, now };
    const [, isFinished] = await Promise.all([
      moves.length > 0 ? lockInstance(tx, task.instance_id) : undefined,
      noteEnd(run, tx, last, now, () => finishTask(tx, end)),
    ]);
    if (!isFinished) return false;
    // Also what it was given since it was taken back: until now it was one that may have all of it.
    if (task.kind === 'provision' && status === 'canceled') await releaseAll(tx, task.instance_id, now);
    for (const move of moves) {
      if (!(await moveInstance(tx, task.instance_id, { ...move, step: null, message: error, now }))) break;
    }
    return true;
  });
  if (!finished) return resume(run);
  services.metrics.countTask(task.kind, status);
  services.log.info({ tenant_id, task_id: task.task_id, kind: task.kind, status }, 'task finished');
}

/** A failure in a person's words; what the inside throws is not shown whole. */
const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error)).slice(0, 500);
