import type { Static } from 'typebox';
import { customerExists } from '../customers/customers.db.ts';
import type { Queryable } from '../platform/db/queryable.ts';
import { fieldsOf } from '../platform/db/rows.ts';
import { found } from '../platform/errors.ts';
import { AssignmentUpdate } from './assignments.contract.ts';
import {
  type AssignmentRow,
  insertAssignment,
  type NewAssignment,
  updateAssignment,
} from './assignments.db.ts';
import { changeWork, checkPeriod } from './periods.ts';

const INITIAL_STATUS = 'assigned';

export async function addAssignment(
  q: Queryable,
  request: Omit<NewAssignment, 'status'> & { status: string | null },
): Promise<AssignmentRow> {
  checkPeriod(request.starts_at, request.ends_at);
  const assignment = { ...request, status: request.status ?? INITIAL_STATUS };
  const { row } = await q.run({
    customer: customerExists(assignment.customer_id),
    row: insertAssignment(assignment),
  });
  return found('Staff member', row);
}

export async function changeAssignment(
  q: Queryable,
  ids: { customer_id: string; assignment_id: string },
  request: Static<typeof AssignmentUpdate>,
): Promise<AssignmentRow> {
  const { status, ...fields } = fieldsOf(AssignmentUpdate, request);
  const changes = status === undefined ? fields : { ...fields, status: status ?? INITIAL_STATUS };
  const { row } = await changeWork(changes, () =>
    q.run({ customer: customerExists(ids.customer_id), row: updateAssignment(ids, changes) }),
  );
  return found('Assignment', row);
}
