import type { Queryable } from '../platform/db/queryable.ts';
import { conflict, notFound, ServiceError } from '../platform/errors.ts';
import type { TaskStatus } from './tasks.contract.ts';
import { cancelTask as cancelTaskRow, findTask, type TaskRow } from './tasks.db.ts';

export async function getTask(q: Queryable, id: string): Promise<TaskRow> {
  const task = await findTask(q, id);
  if (!task) throw notFound('Task');
  return task;
}

/**
 * Asks a task to stop and undo what it did; whoever runs it sees it before its next step. The update decides: what
 * is read afterwards only explains a refusal.
 */
export async function cancelTask(
  q: Queryable,
  id: string,
  expect_status: TaskStatus | null,
  now: Date,
): Promise<TaskRow> {
  const canceled = await cancelTaskRow(q, id, expect_status, now);
  if (canceled) return canceled;
  const task = await getTask(q, id);
  if (expect_status !== null && task.status !== expect_status) {
    throw new ServiceError('precondition_failed', `The task is ${task.status}, not ${expect_status}`);
  }
  if (task.status === 'canceling') return task;
  if (task.finished_at) throw conflict(`The task has ${task.status} already`);
  throw conflict(`A ${task.kind} task cannot be canceled`);
}
