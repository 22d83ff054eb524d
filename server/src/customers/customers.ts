import type { Queryable } from '../platform/db/queryable.ts';
import { conflict } from '../platform/errors.ts';
import {
  type CreatedCustomerRow,
  customerExists,
  insertClone,
  insertCustomer,
  type NewClone,
  type NewCustomer,
} from './customers.db.ts';

const addressTaken = () => conflict('A customer with this e-mail address exists already');

/** An e-mail address is unique within the tenant, without regard to case (contract, section 9). */
export async function addCustomer(q: Queryable, customer: NewCustomer): Promise<CreatedCustomerRow> {
  const row = await q.run(insertCustomer(customer));
  if (!row) throw addressTaken();
  return row;
}

/** Adds a customer with the profile of one customer and the rules of another (contract, section 9). */
export async function cloneCustomer(q: Queryable, clone: NewClone): Promise<CreatedCustomerRow> {
  const [, , row] = await q.run(
    customerExists(clone.customer_id),
    customerExists(clone.source_customer_id),
    insertClone(clone),
  );
  if (!row) throw addressTaken();
  return row;
}
