import { customerIsServed, findDedicatedCustomer } from '../customers/served-customers.db.ts';
import { findServedIdentityById } from '../identities/identities.db.ts';
import type { Queryable } from '../platform/db/queryable.ts';
import { found, missing, notFound } from '../platform/errors.ts';

export interface PinSubject {
  customer_id: string;
  identity_id: string | null;
  role_override: string | null;
}

export interface IdentitySubject extends PinSubject {
  identity_id: string;
}

interface Ids {
  customer_id?: string | null | undefined;
  identity_id?: string | null | undefined;
}

/**
 * The identity, else the customer, else the dedicated instance's customer. 404 when the instance does not serve it or
 * the identity is another customer's; 422 when a shared instance gives no id.
 */
export async function getPinSubject(q: Queryable, instance_id: string, ids: Ids): Promise<PinSubject> {
  const { customer_id = null, identity_id = null } = ids;
  if (identity_id !== null) return getIdentitySubject(q, instance_id, { customer_id, identity_id });
  const owner_id = customer_id ?? (await getDedicatedCustomer(q, instance_id));
  await q.run(customerIsServed(instance_id, owner_id));
  return { customer_id: owner_id, identity_id: null, role_override: null };
}

/** 404 when the instance does not serve it, or when it is another customer's. */
export const getIdentitySubject = async (
  q: Queryable,
  instance_id: string,
  ids: { customer_id: string | null; identity_id: string },
): Promise<IdentitySubject> => found('Identity', await q.run(findServedIdentityById(instance_id, ids)));

async function getDedicatedCustomer(q: Queryable, instance_id: string): Promise<string> {
  const customer_id = await q.run(findDedicatedCustomer(instance_id));
  if (customer_id === undefined) throw notFound('Instance');
  if (customer_id === null) throw missing('body', 'customer_id');
  return customer_id;
}
