import { randomUUID } from 'node:crypto';
import type { Queryable } from '../platform/db/queryable.ts';
import { tenantScope } from '../platform/db/queryable.ts';
import { isUniqueViolation } from '../platform/db/refusals.ts';
import { conflict, notFound } from '../platform/errors.ts';
import { type LargeCall, withLarge } from '../recipes/large-recipes.ts';
import type { Services } from '../services.ts';
import { findInstanceDeploymentId } from './deployments.db.ts';
import {
  findInstance,
  findInstanceDetail,
  findInstanceTenant,
  type InstanceDetailRow,
  type InstanceRow,
  lockInstance,
  moveInstance,
} from './instances.db.ts';
import { type LifecycleRequest, lifecycleRequests } from './lifecycle.ts';
import { cancelTasksOf, getTaskPriority, insertTask, isBeingUndone, type TaskRow } from './tasks.db.ts';

export { listInstanceEvents, listInstanceEventsAfter } from './instance-events.db.ts';
export { listInstances } from './instances.db.ts';

/** The tenant that an instance belongs to (in the system scope). */
export async function getInstanceTenant(q: Queryable, instance_id: string): Promise<string> {
  const tenant_id = await findInstanceTenant(q, instance_id);
  if (!tenant_id) throw notFound('Instance');
  return tenant_id;
}

export const getInstance = async (q: Queryable, id: string): Promise<InstanceRow> =>
  found(await findInstance(q, id));

/** With its configuration. */
export function withInstanceDetail<T>(
  call: LargeCall,
  id: string,
  use: (instance: InstanceDetailRow) => Promise<T>,
): Promise<T> {
  return withLarge(
    call,
    async (maxBytes) => found(await findInstanceDetail(call.q, id, maxBytes)),
    ({ is_large: _, ...instance }) => use(instance),
  );
}

function found<Row extends InstanceRow>(instance: Row | undefined): Row {
  if (!instance) throw notFound('Instance');
  return instance;
}

/**
 * Accepts a request to stop, start, retry or terminate: a task and its job in one transaction. An illegal move is 409;
 * so is a second one while the first is at work, except that terminating cancels whatever is.
 */
export async function requestLifecycle(
  services: Services,
  tenant_id: string,
  instance_id: string,
  request: LifecycleRequest,
): Promise<TaskRow> {
  const { from, kind, to, message } = lifecycleRequests[request];
  const now = services.clock();
  try {
    return await services.db.transaction(tenantScope(tenant_id), async (tx) => {
      const instance = await lockInstance(tx, instance_id);
      if (!instance) throw notFound('Instance');
      if (!from.includes(instance.status))
        throw conflict(`An instance that is ${instance.status} cannot ${request}`);
      if (request === 'terminate') await cancelTasksOf(tx, instance_id, now);
      if (to) await moveInstance(tx, instance_id, { from, to, step: null, message, now });
      const deployment_id = (await findInstanceDeploymentId(tx, instance_id)) ?? null;
      const task = { id: randomUUID(), tenant_id, instance_id, deployment_id, kind, now };
      const [row, priority] = await Promise.all([insertTask(tx, task), getTaskPriority(tx)]);
      // Asked after the insert, which waits for whoever cancels the one before. What is to end waits for it by itself.
      if (request !== 'terminate' && (await isBeingUndone(tx, instance_id))) throw otherTask();
      await services.queue.enqueue(tx, [
        { name: 'run_task', data: { tenant_id, task_id: task.id }, priority },
      ]);
      return row;
    });
  } catch (error) {
    if (!isUniqueViolation(error, 'tasks_one_at_a_time')) throw error;
    throw otherTask();
  }
}

const otherTask = () => conflict('Another task of the instance is at work');
