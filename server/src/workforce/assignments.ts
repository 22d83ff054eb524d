import { customerExists } from '../customers/customers.db.ts';
import type { Queryable } from '../platform/db/queryable.ts';
import { found } from '../platform/errors.ts';
import { type AssignmentRow, insertAssignment, type NewAssignment } from './assignments.db.ts';
import { checkPeriod } from './periods.ts';

export async function addAssignment(
  q: Queryable,
  request: Omit<NewAssignment, 'status'> & { status: string | null },
): Promise<AssignmentRow> {
  checkPeriod(request.starts_at, request.ends_at);
  const assignment = { ...request, status: request.status ?? 'assigned' };
  const [, row] = await q.run(customerExists(assignment.customer_id), insertAssignment(assignment));
  return found('Staff member', row);
}
