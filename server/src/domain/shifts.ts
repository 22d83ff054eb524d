import type { Queryable } from '../db/queryable.ts';
import { insertShift, type NewShift, type ShiftRow } from '../db/shifts.ts';
import { notFound } from '../errors.ts';
import { ofCustomer } from './customers.ts';
import { checkPeriod } from './periods.ts';

export { listShifts } from '../db/shifts.ts';

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
