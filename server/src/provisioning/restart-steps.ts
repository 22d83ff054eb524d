import { claimRenewal } from '../instances/restarts.db.ts';
import { isBeingUndone } from '../instances/tasks.db.ts';
import { found } from '../platform/errors.ts';
import { beginRuntime, findRuntimeState, renewAwake, tryWithoutLimit } from '../runtimes/runtime-hosts.db.ts';
import { whyRuntimeFailed } from '../runtimes/runtime-reasons.ts';
import type { ClaimedTask } from './claimed-task.ts';
import { NotYet, PermanentFailure } from './failures.ts';
import type { Step } from './step.ts';

/** A new generation: the old runtime ends, then the new one starts, and messages wait meanwhile. */
const renewal: Step = {
  name: 'renew_runtime',
  message: 'Runtime started anew',
  async run(task, { settings: { host_id } }) {
    const { instance_id, task_id } = task;
    await task.asRunner(async (tx) => {
      // A restart of many instances may have met a cancellation.
      if (await tx.run(isBeingUndone(instance_id))) throw new NotYet('Another task is being undone');
      if (await tx.run(claimRenewal(task_id))) await tx.run(renewAwake(instance_id));
      // For one that slept.
      await tx.run(beginRuntime(instance_id, host_id));
    });
    await requireUp(task);
  },
  /** The former runtime is gone and its agent was in service, so the new one is tried further. */
  async undo(task) {
    await task.asRunner((tx) => tx.run(tryWithoutLimit(task.instance_id)));
  },
};

/** For a runtime that was renewed. */
export async function requireUp({ q, instance_id }: ClaimedTask): Promise<void> {
  const { phase, reason, last_line } = found('Instance', await q.run(findRuntimeState(instance_id)));
  if (phase === 'up') return;
  if (phase === 'gone' && reason) throw new PermanentFailure(whyRuntimeFailed(reason, last_line));
  throw new NotYet('The runtime is being started again');
}

export const restartSteps = (channels: Step, health: Step): readonly Step[] => [renewal, channels, health];
