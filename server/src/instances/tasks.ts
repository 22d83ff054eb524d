import type { Queryable } from '../platform/db/queryable.ts';
import { conflict, found, ServiceError } from '../platform/errors.ts';
import type { TaskStatus } from './tasks.contract.ts';
import { cancelTask, findTask, type TaskRow } from './tasks.db.ts';

/** The runner notices the cancellation before its next step. The update decides; the read only explains a refusal. */
export async function requestCancel(
  q: Queryable,
  id: string,
  expect_status: TaskStatus | null,
): Promise<TaskRow> {
  const canceled = await q.run(cancelTask(id, expect_status));
  if (canceled) return canceled;
  const task = found('Task', await q.run(findTask(id)));
  if (expect_status !== null && task.status !== expect_status) {
    throw new ServiceError('precondition_failed', `The task is ${task.status}, not ${expect_status}`);
  }
  if (task.status === 'canceling') return task;
  if (task.finished_at) throw conflict(`The task has ${task.status} already`);
  throw conflict(`A ${task.kind} task cannot be canceled`);
}
