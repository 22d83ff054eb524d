import type { Static } from 'typebox';
import { customerExists } from '../customers/customers.db.ts';
import type { Queryable } from '../platform/db/queryable.ts';
import { fieldsOf } from '../platform/db/rows.ts';
import { found } from '../platform/errors.ts';
import { changeWork, checkPeriod } from './periods.ts';
import { ShiftUpdate } from './shifts.contract.ts';
import { insertShift, type NewShift, type ShiftRow, updateShift } from './shifts.db.ts';

const INITIAL_STATUS = 'scheduled';

export async function addShift(
  q: Queryable,
  request: Omit<NewShift, 'status'> & { status: string | null },
): Promise<ShiftRow> {
  checkPeriod(request.starts_at, request.ends_at);
  const shift = { ...request, status: request.status ?? INITIAL_STATUS };
  const { row } = await q.run({ customer: customerExists(shift.customer_id), row: insertShift(shift) });
  return found('Staff member', row);
}

export async function changeShift(
  q: Queryable,
  ids: { customer_id: string; shift_id: string },
  request: Static<typeof ShiftUpdate>,
): Promise<ShiftRow> {
  const { status, ...fields } = fieldsOf(ShiftUpdate, request);
  const changes = status === undefined ? fields : { ...fields, status: status ?? INITIAL_STATUS };
  const { row } = await changeWork(changes, () =>
    q.run({ customer: customerExists(ids.customer_id), row: updateShift(ids, changes) }),
  );
  return found('Shift', row);
}
