import { randomUUID } from 'node:crypto';
import { isUniqueViolation } from '../platform/db/constraint-errors.ts';
import type { TenantDb } from '../platform/db/queryable.ts';
import { conflict, found } from '../platform/errors.ts';
import { findInstanceDeploymentId } from './deployments.db.ts';
import { lockInstance, moveInstance } from './instances.db.ts';
import { type LifecycleRequest, lifecycleRequests } from './lifecycle.ts';
import { cancelTasksOf, enqueueTask, insertTask, isBeingUndone, type TaskRow } from './tasks.db.ts';

/**
 * Accepts a request to stop, start, retry or terminate: a task and its job in one transaction. Conflict when the
 * instance is in another state, or while another task of it is at work; terminating cancels that task instead.
 */
export async function requestLifecycle(
  q: TenantDb,
  instance_id: string,
  request: LifecycleRequest,
): Promise<TaskRow> {
  const { from, kind, to, message } = lifecycleRequests[request];
  try {
    return await q.transaction(async (tx) => {
      const status = found('Instance', await tx.run(lockInstance(instance_id)));
      if (!from.includes(status)) throw conflict(`An instance that is ${status} cannot ${request}`);
      if (request === 'terminate') await tx.run(cancelTasksOf(instance_id));
      if (to) await tx.run(moveInstance(instance_id, { from, to, message }));
      const deployment_id = (await tx.run(findInstanceDeploymentId(instance_id))) ?? null;
      const task = { id: randomUUID(), instance_id, deployment_id, kind };
      // The insert waits for a concurrent cancellation, so isBeingUndone behind it sees that.
      const [row, isUndone] = await tx.run(insertTask(task), isBeingUndone(instance_id));
      // Terminating is allowed meanwhile: its task waits by itself.
      if (isUndone && request !== 'terminate') throw otherTask();
      await tx.run(enqueueTask(task.id));
      return row;
    });
  } catch (error) {
    if (!isUniqueViolation(error, 'tasks_one_at_a_time')) throw error;
    throw otherTask();
  }
}

const otherTask = () => conflict('Another task of the instance is at work');
