import { customerExists } from '../customers/customers.db.ts';
import type { Queryable } from '../platform/db/queryable.ts';
import { found } from '../platform/errors.ts';
import { checkPeriod } from './periods.ts';
import { insertShift, type NewShift, type ShiftRow } from './shifts.db.ts';

export async function addShift(
  q: Queryable,
  request: Omit<NewShift, 'status'> & { status: string | null },
): Promise<ShiftRow> {
  checkPeriod(request.starts_at, request.ends_at);
  const shift = { ...request, status: request.status ?? 'scheduled' };
  const [, row] = await q.run(customerExists(shift.customer_id), insertShift(shift));
  return found('Staff member', row);
}
