import type { Static } from 'typebox';
import { customerExists } from '../customers/customers.db.ts';
import type { TenantDb } from '../platform/db/queryable.ts';
import { fieldsOf } from '../platform/db/rows.ts';
import { found } from '../platform/errors.ts';
import { type Asked, type Checked, writeChecked } from './checked-work.ts';
import { changeWork, checkPeriod } from './periods.ts';
import { ShiftChanges } from './shifts.contract.ts';
import { insertShift, lockPersonOfShift, type NewShift, type ShiftRow, updateShift } from './shifts.db.ts';
import { lockPerson } from './staff.db.ts';

const INITIAL_STATUS = 'scheduled';

export async function addShift(
  q: TenantDb,
  request: Omit<NewShift, 'status'> & { status: string | null },
  isNamed: boolean,
  asked: Asked,
): Promise<Checked<ShiftRow>> {
  checkPeriod(request.starts_at, request.ends_at);
  const shift = { ...request, status: request.status ?? INITIAL_STATUS };
  return writeChecked(q, asked, lockPerson(shift), async (tx) => {
    const { row } = await tx.run({
      customer: customerExists(shift.customer_id),
      row: insertShift(shift, isNamed),
    });
    return found('Staff member', row);
  });
}

export async function changeShift(
  q: TenantDb,
  ids: { customer_id: string; shift_id: string },
  request: Static<typeof ShiftChanges>,
  isNamed: boolean,
  asked: Asked,
): Promise<Checked<ShiftRow>> {
  const { status, ...fields } = fieldsOf(ShiftChanges, request);
  const changes = status === undefined ? fields : { ...fields, status: status ?? INITIAL_STATUS };
  return writeChecked(q, asked, lockPersonOfShift(ids, changes.person_id ?? null), async (tx) => {
    const { row } = await changeWork(changes, () =>
      tx.run({ customer: customerExists(ids.customer_id), row: updateShift(ids, changes, isNamed) }),
    );
    return found('Shift', row);
  });
}
