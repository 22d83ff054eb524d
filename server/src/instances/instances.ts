import { randomUUID } from 'node:crypto';
import { isUniqueViolation } from '../platform/db/constraint-errors.ts';
import type { TenantDb, TenantTx } from '../platform/db/queryable.ts';
import { conflict, found, notFound } from '../platform/errors.ts';
import { findInstanceDeploymentId, listServedDeploymentIds, releaseDeployment } from './deployments.db.ts';
import { lockInstance, moveInstance } from './instances.db.ts';
import { type LifecycleRequest, lifecycleRequests } from './lifecycle.ts';
import { cancelWaitingRestart } from './restarts.db.ts';
import {
  cancelJoinOf,
  cancelTasksOf,
  enqueueTask,
  insertTask,
  isBeingUndone,
  type TaskRow,
} from './tasks.db.ts';

/**
 * Writes a task and its job. Conflict when the status does not allow the request, or while another task of the instance is
 * unfinished. Terminating cancels that task instead.
 */
export async function requestLifecycle(
  q: TenantDb,
  instance_id: string,
  request: LifecycleRequest,
): Promise<TaskRow> {
  try {
    return await q.transaction((tx) => accept(tx, instance_id, request));
  } catch (error) {
    if (!isUniqueViolation(error, 'tasks_one_at_a_time')) throw error;
    throw otherTask();
  }
}

async function accept(tx: TenantTx, instance_id: string, request: LifecycleRequest): Promise<TaskRow> {
  const { from, kind, to, message } = lifecycleRequests[request];
  const status = found('Instance', await tx.run(lockInstance(instance_id)));
  if (!from.includes(status)) throw conflict(`An instance that is ${status} cannot ${request}`);
  await tx.run(request === 'terminate' ? cancelTasksOf(instance_id) : cancelWaitingRestart(instance_id));
  if (to) await tx.run(moveInstance(instance_id, { from, to, message }));
  const deployment_id = (await tx.run(findInstanceDeploymentId(instance_id))) ?? null;
  const task = { id: randomUUID(), instance_id, deployment_id, kind };
  // The insert waits for a concurrent cancellation, so isBeingUndone must come after it.
  const [row, isUndone] = await tx.run(insertTask(task), isBeingUndone(instance_id));
  // The task of a termination itself waits for the undoing.
  if (isUndone && request !== 'terminate') throw otherTask();
  await tx.run(enqueueTask(task.id));
  return row;
}

/**
 * Releases a customer's deployment at once; a task then removes the customer's connections from the runtime. Terminates the
 * instance with its last customer. Not found for a deployment that was released before.
 */
export async function removeDeployment(
  q: TenantDb,
  instance_id: string,
  deployment_id: string,
): Promise<TaskRow> {
  return q.transaction(async (tx) => {
    const status = found('Instance', await tx.run(lockInstance(instance_id)));
    const served = await tx.run(listServedDeploymentIds(instance_id));
    if (!served.includes(deployment_id)) throw notFound('Deployment');
    if (status === 'terminating') throw conflict('An instance that is terminating lets nobody go');
    if (served.length === 1) return accept(tx, instance_id, 'terminate');
    const task = { id: randomUUID(), instance_id, deployment_id, kind: 'leave' } as const;
    const { row } = await tx.run({
      canceled: cancelJoinOf(deployment_id),
      released: releaseDeployment(deployment_id),
      row: insertTask(task),
      job: enqueueTask(task.id),
    });
    return row;
  });
}

const otherTask = () => conflict('Another task of the instance is at work');
