import type { Static } from 'typebox';
import { customerExists } from '../customers/customers.db.ts';
import type { TenantDb } from '../platform/db/queryable.ts';
import { fieldsOf } from '../platform/db/rows.ts';
import { found } from '../platform/errors.ts';
import { AssignmentChanges } from './assignments.contract.ts';
import {
  type AssignmentRow,
  insertAssignment,
  lockPersonOfAssignment,
  type NewAssignment,
  updateAssignment,
} from './assignments.db.ts';
import { type Asked, type Checked, writeChecked } from './checked-work.ts';
import { changeWork, checkPeriod } from './periods.ts';
import { lockPerson } from './staff.db.ts';

const INITIAL_STATUS = 'assigned';

export async function addAssignment(
  q: TenantDb,
  request: Omit<NewAssignment, 'status'> & { status: string | null },
  isNamed: boolean,
  asked: Asked,
): Promise<Checked<AssignmentRow>> {
  checkPeriod(request.starts_at, request.ends_at);
  const assignment = { ...request, status: request.status ?? INITIAL_STATUS };
  return writeChecked(q, asked, lockPerson(assignment), async (tx) => {
    const { row } = await tx.run({
      customer: customerExists(assignment.customer_id),
      row: insertAssignment(assignment, isNamed),
    });
    return found('Staff member', row);
  });
}

export async function changeAssignment(
  q: TenantDb,
  ids: { customer_id: string; assignment_id: string },
  request: Static<typeof AssignmentChanges>,
  isNamed: boolean,
  asked: Asked,
): Promise<Checked<AssignmentRow>> {
  const { status, ...fields } = fieldsOf(AssignmentChanges, request);
  const changes = status === undefined ? fields : { ...fields, status: status ?? INITIAL_STATUS };
  return writeChecked(q, asked, lockPersonOfAssignment(ids, changes.person_id ?? null), async (tx) => {
    const { row } = await changeWork(changes, () =>
      tx.run({ customer: customerExists(ids.customer_id), row: updateAssignment(ids, changes, isNamed) }),
    );
    return found('Assignment', row);
  });
}
