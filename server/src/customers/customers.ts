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
  lockCustomerRows,
  type NewClone,
  type NewCustomer,
  updateCustomer,
} from './customers.db.ts';
import { customerIsUnserved } from './served-customers.db.ts';

const addressTaken = () => conflict('A customer with this e-mail address exists already');

/** An e-mail address is unique within the tenant, without regard to case (contract, section 9). */
export async function addCustomer(q: Queryable, customer: NewCustomer): Promise<CreatedCustomerRow> {
  const row = await q.run(insertCustomer(customer));
  if (!row) throw addressTaken();
  return row;
}

/** Adds a customer with the profile of one customer and the rules of another (contract, section 9). */
export async function cloneCustomer(q: Queryable, clone: NewClone): Promise<CreatedCustomerRow> {
  const { row } = await q.run({
    customer: customerExists(clone.customer_id),
    source: customerExists(clone.source_customer_id),
    row: insertClone(clone),
  });
  if (!row) throw addressTaken();
  return row;
}

/** null clears an optional field; a customer without a time zone of its own is in UTC. */
export async function changeCustomer(
  q: Queryable,
  id: string,
  request: Static<typeof CustomerUpdate>,
): Promise<RowOf<typeof CustomerDetail>> {
  const { timezone, ...fields } = fieldsOf(CustomerUpdate, request);
  const changes = timezone === undefined ? fields : { ...fields, timezone: timezone ?? 'UTC' };
  try {
    // Business hours are of the customer's time zone.
    const wake = timezone !== undefined && { woken: wakeClosedConversations({ customer_id: id }) };
    const { row } = await q.run({ updated: updateCustomer(id, changes), row: findCustomer(id), ...wake });
    return found('Customer', row);
  } catch (error) {
    throw isUniqueViolation(error, 'customers_email') ? addressTaken() : error;
  }
}

/** Erases a customer that no instance serves. The lock comes first: no deploy and no new row can come in between. */
export async function eraseCustomer(q: Queryable, id: string): Promise<void> {
  const { erased } = await q.run({
    customer: customerExists(id),
    lock: lockCustomerRows(id),
    unserved: customerIsUnserved(id),
    erased: deleteCustomer(id),
  });
  found('Customer', erased);
}
