import type { Static } from 'typebox';
import { isUniqueViolation } from '../platform/db/constraint-errors.ts';
import type { Queryable } from '../platform/db/queryable.ts';
import { fieldsOf, type RowOf } from '../platform/db/rows.ts';
import { conflict, found } from '../platform/errors.ts';
import { wakeClosedConversations } from './closed-conversations.db.ts';
import { findCustomer } from './customer-overviews.db.ts';
import { type CustomerDetail, CustomerUpdate } from './customers.contract.ts';
import {
  type CreatedCustomerRow,
  customerExists,
  deleteCustomer,
  insertClone,
  insertCustomer,
  lockCustomerForErasure,
  type NewClone,
  type NewCustomer,
  updateCustomer,
} from './customers.db.ts';
import { customerIsUnserved } from './served-customers.db.ts';

const addressTaken = () => conflict('A customer with this e-mail address exists already');

/** Addresses are unique per tenant, ignoring case (contract, section 9). */
export async function addCustomer(q: Queryable, customer: NewCustomer): Promise<CreatedCustomerRow> {
  const row = await q.run(insertCustomer(customer));
  if (!row) throw addressTaken();
  return row;
}

/** Contract, section 9. */
export async function cloneCustomer(q: Queryable, clone: NewClone): Promise<CreatedCustomerRow> {
  const { row } = await q.run({
    customer: customerExists(clone.customer_id),
    source: customerExists(clone.source_customer_id),
    row: insertClone(clone),
  });
  if (!row) throw addressTaken();
  return row;
}

/** null clears an optional field. */
export async function changeCustomer(
  q: Queryable,
  id: string,
  request: Static<typeof CustomerUpdate>,
): Promise<RowOf<typeof CustomerDetail>> {
  const { timezone, ...fields } = fieldsOf(CustomerUpdate, request);
  const changes = timezone === undefined ? fields : { ...fields, timezone: timezone ?? 'UTC' };
  try {
    // Business hours depend on the time zone.
    const wake = timezone !== undefined && { woken: wakeClosedConversations({ customer_id: id }) };
    const { row } = await q.run({ updated: updateCustomer(id, changes), row: findCustomer(id), ...wake });
    return found('Customer', row);
  } catch (error) {
    throw isUniqueViolation(error, 'customers_email') ? addressTaken() : error;
  }
}

/** Locks first, so no deploy and no new row can come in between. */
export async function eraseCustomer(q: Queryable, id: string): Promise<void> {
  const { erased } = await q.run({
    customer: customerExists(id),
    lock: lockCustomerForErasure(id),
    unserved: customerIsUnserved(id),
    erased: deleteCustomer(id),
  });
  found('Customer', erased);
}
