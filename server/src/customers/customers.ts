import type { Queryable } from '../platform/db/queryable.ts';
import { conflict } from '../platform/errors.ts';
import {
  type CreatedCustomer,
  getCustomerId,
  insertClone,
  insertCustomer,
  type NewCustomer,
} from './customers.db.ts';

export { findCustomer, listCustomers } from './customer-overviews.db.ts';
export { getCustomerId } from './customers.db.ts';

const addressTaken = () => conflict('A customer with this e-mail address exists already');

/** An address belongs to one customer of a tenant, whatever its case (contract, section 9). */
export async function addCustomer(q: Queryable, customer: NewCustomer): Promise<CreatedCustomer> {
  const row = await insertCustomer(q, customer);
  if (!row) throw addressTaken();
  return row;
}

/** The profile of one customer and the rules of another make a third (contract, section 9). */
export async function cloneCustomer(
  q: Queryable,
  clone: Parameters<typeof insertClone>[1],
): Promise<CreatedCustomer> {
  const row = await ofCustomer(
    q,
    clone.source_customer_id,
    ofCustomer(q, clone.customer_id, insertClone(q, clone)),
  );
  if (!row) throw addressTaken();
  return row;
}

/**
 * The result of `work` on what belongs to a customer; not found when the tenant has no such customer.
 * Started together, the work's statement and the question after the customer are one round trip.
 */
export async function ofCustomer<T>(q: Queryable, customer_id: string, work: Promise<T>): Promise<T> {
  const [result] = await Promise.all([work, getCustomerId(q, customer_id)]);
  return result;
}
