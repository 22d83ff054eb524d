import { customerExists } from '../customers/customers.db.ts';
import { isUniqueViolation } from '../platform/db/constraint-errors.ts';
import type { Queryable } from '../platform/db/queryable.ts';
import { conflict } from '../platform/errors.ts';
import { type IdentityRow, insertIdentity, type NewIdentity } from './identities.db.ts';

/** An address leads to one identity of a tenant, as its own address or as an alias (contract, section 7). */
export async function addIdentity(q: Queryable, identity: NewIdentity): Promise<IdentityRow> {
  try {
    const [, row] = await q.run(customerExists(identity.customer_id), insertIdentity(identity));
    if (row) return row;
  } catch (error) {
    if (!isUniqueViolation(error, 'identity_addresses_key')) throw error;
  }
  throw conflict('This channel identity belongs to a customer already');
}
