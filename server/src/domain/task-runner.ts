import { randomUUID } from 'node:crypto';
import { tenantScope } from '../db/database.ts';
import { releaseDeploymentsOf } from '../db/deployments.ts';
import { insertStepEvent } from '../db/instance-events.ts';
import { moveInstance } from '../db/instances.ts';
import {
  beginStep,
  finishStep,
  finishTask,
  hasOtherWork,
  isRunnersTask,
  listBegunSteps,
  noteTaskError,
  type RunnableTask,
  takeTask,
} from '../db/tasks.ts';
import { PermanentFailure, type Step, type StepContext, stepsOf } from './provisioning.ts';
import type { Services } from './services.ts';
import { outcomeMoves, startMove } from './task-moves.ts';

/** Another runner has taken the task over; this one has nothing more to say. */
class TakenOver extends Error {}

interface Run extends StepContext {
  runner_id: string;
}

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
  if (task.status === 'canceling') return undo(run, 'canceled', 'Canceled');
  if (task.kind === 'terminate' && (await hasOtherWork(q, task.instance_id, task_id))) {
    throw new Error('Another task of the instance is being undone');
  }
  try {
    await begin(run);
    for (const [index, step] of stepsOf[task.kind].entries()) await runStep(run, step, index);
    await finish(run, 'succeeded', null);
  } catch (error) {
    if (error instanceof TakenOver) return resume(run);
    const message = messageOf(error);
    services.log.warn(
      { tenant_id, task_id, instance_id: task.instance_id, err: error },
      'a task step failed',
    );
    if (!(await run.isWanted())) return resume(run);
    await noteTaskError(q, task_id, message, services.clock());
    if (lastAttempt || error instanceof PermanentFailure) return undo(run, 'failed', message);
    throw error;
  }
}

function newRun(services: Services, tenant_id: string, task: RunnableTask, runner_id: string): Run {
  const q = services.db.tenant(tenant_id);
  return {
    services,
    tenant_id,
    task,
    q,
    runner_id,
    isWanted: () => isRunnersTask(q, task.task_id, runner_id),
  };
}

/** A cancellation, or another runner: the task's row says which. */
async function resume({ services, q, tenant_id, task }: Run): Promise<void> {
  const runner_id = randomUUID();
  const again = await takeTask(q, task.task_id, runner_id, services.clock());
  if (again?.status === 'canceling') {
    await undo(newRun(services, tenant_id, again, runner_id), 'canceled', 'Canceled');
  }
}

/** A second run finds the instance moved already, and moves nothing. */
async function begin({ services, q, task }: Run): Promise<void> {
  const move = startMove(task.kind);
  if (!move) return;
  const message = 'Provisioning began';
  await moveInstance(q, task.instance_id, { ...move, step: null, message, now: services.clock() });
}

async function runStep(run: Run, step: Step, index: number): Promise<void> {
  const { services, q, task, runner_id } = run;
  const progress = Math.round((index / stepsOf[task.kind].length) * 100);
  const { task_id, instance_id } = task;
  const state = await beginStep(q, { task_id, runner_id, step: step.name, progress, now: services.clock() });
  if (!state) throw new TakenOver();
  if (state.done) return;
  await step.run(run);
  const now = services.clock();
  await Promise.all([
    finishStep(q, task_id, step.name, 'done', now),
    insertStepEvent(q, instance_id, step.name, step.message, now),
  ]);
}

/** Takes back what was begun, newest first, then ends the task. Throws, to be tried again, when that fails too. */
async function undo(run: Run, status: 'failed' | 'canceled', error: string): Promise<void> {
  const { services, q, task } = run;
  const begun = new Set((await listBegunSteps(q, task.task_id)).map(({ step }) => step));
  for (const step of stepsOf[task.kind].toReversed()) {
    if (!step.undo || !(begun.has(step.name) || step.undoneAlways)) continue;
    await step.undo(run);
    await finishStep(q, task.task_id, step.name, 'undone', services.clock());
  }
  await finish(run, status, error);
}

/** Ends the task and moves the instance, together. */
async function finish(
  run: Run,
  status: 'succeeded' | 'failed' | 'canceled',
  error: string | null,
): Promise<void> {
  const { services, tenant_id, task, runner_id } = run;
  const now = services.clock();
  const finished = await services.db.transaction(tenantScope(tenant_id), async (tx) => {
    const { task_id } = task;
    if (!(await finishTask(tx, { task_id, runner_id, status, error, now }))) return false;
    if (task.kind === 'provision' && status === 'canceled')
      await releaseDeploymentsOf(tx, task.instance_id, now);
    for (const move of outcomeMoves(task.kind, status)) {
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
