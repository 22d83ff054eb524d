import { ofCustomer } from '../customers/customers.ts';
import type { Queryable } from '../platform/db/queryable.ts';
import { notFound } from '../platform/errors.ts';
import { checkPeriod } from './periods.ts';
import { insertShift, type NewShift, type ShiftRow } from './shifts.db.ts';

export { listShifts } from './shifts.db.ts';

/** Puts a person on a shift. Not found when the tenant has no such customer, or the customer no such person. */
export async function addShift(
  q: Queryable,
  request: Omit<NewShift, 'status'> & { status: string | null },
  now: Date,
): Promise<ShiftRow> {
  checkPeriod(request.starts_at, request.ends_at);
  const shift = { ...request, status: request.status ?? 'scheduled' };
  const row = await ofCustomer(q, shift.customer_id, insertShift(q, shift, now));
  if (!row) throw notFound('Staff member');
  return row;
}
