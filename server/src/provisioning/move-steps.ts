import { findInstance } from '../instances/instances.db.ts';
import { moveBack, moveInstance } from '../instances/moves.db.ts';
import { isBeingUndone } from '../instances/tasks.db.ts';
import { findDrainOf, isAway } from '../runtimes/drains.db.ts';
import { endLlmKey } from '../runtimes/llm-keys.db.ts';
import {
  beginRuntime,
  findRuntimeState,
  pauseRuntime,
  releaseRuntime,
  tryWithoutLimit,
} from '../runtimes/runtime-hosts.db.ts';
import type { ClaimedTask } from './claimed-task.ts';
import { NotYet } from './failures.ts';
import type { Step } from './step.ts';

/** Its runtime is up, or has to be. The others only change their place. */
async function isAwake({ q, instance_id }: ClaimedTask): Promise<boolean> {
  const [instance, runtime] = await q.run(findInstance(instance_id), findRuntimeState(instance_id));
  return instance?.status === 'running' && runtime?.is_asleep === false;
}

/** @param leavesBehind what cannot be ended, because its cluster is out of reach */
async function endWhereItIs(task: ClaimedTask, leavesBehind: boolean): Promise<void> {
  const { q, instance_id } = task;
  const host = await task.asRunner((tx) => tx.run(pauseRuntime(instance_id)));
  const isLeft = host !== null && leavesBehind && (await q.run(isAway(host)));
  if (host !== null && !isLeft) throw new NotYet('The runtime is being ended');
  await q.run(releaseRuntime(instance_id), endLlmKey(instance_id));
}

const departure: Step = {
  name: 'leave_cluster',
  message: 'Runtime ended, to start in another cluster',
  async run(task) {
    const { q, instance_id, task_id } = task;
    const drain = await q.run(findDrainOf(task_id));
    await task.asRunner(async (tx) => {
      if (await tx.run(isBeingUndone(instance_id))) throw new NotYet('Another task is being undone');
      await tx.run(moveInstance(task_id, drain?.to_cluster ?? null));
    });
    await endWhereItIs(task, drain?.is_forced ?? false);
  },
  /** It was in service before, so it is tried without limit. */
  async undo(task, { settings: { host_id } }) {
    const { q, instance_id, task_id } = task;
    await task.asRunner((tx) => tx.run(moveBack(task_id)));
    if (!(await isAwake(task))) return;
    await task.asRunner((tx) => tx.run(beginRuntime(instance_id, host_id), tryWithoutLimit(instance_id)));
    const state = await q.run(findRuntimeState(instance_id));
    if (state?.wanted === false) throw new NotYet('The former runtime is being ended');
  },
};

/** A place for its instance is chosen before its runtime ends: where none has room, it goes on. */
export const moveSteps = (start: Step, channels: Step, health: Step): readonly Step[] => [
  departure,
  { ...start, applies: isAwake, undo: (task) => endWhereItIs(task, true) },
  { ...channels, applies: isAwake },
  { ...health, applies: isAwake },
];
