import { ofCustomer } from '../customers/customers.ts';
import type { Queryable } from '../platform/db/queryable.ts';
import { notFound } from '../platform/errors.ts';
import { type AssignmentRow, insertAssignment, type NewAssignment } from './assignments.db.ts';
import { checkPeriod } from './periods.ts';

export { listAssignments } from './assignments.db.ts';

/** Gives a person work. Not found when the tenant has no such customer, or the customer no such person. */
export async function addAssignment(
  q: Queryable,
  request: Omit<NewAssignment, 'status'> & { status: string | null },
  now: Date,
): Promise<AssignmentRow> {
  checkPeriod(request.starts_at, request.ends_at);
  const assignment = { ...request, status: request.status ?? 'assigned' };
  const row = await ofCustomer(q, assignment.customer_id, insertAssignment(q, assignment, now));
  if (!row) throw notFound('Staff member');
  return row;
}
