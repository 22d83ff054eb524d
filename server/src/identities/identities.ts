import type { Static } from 'typebox';
import { customerExists } from '../customers/customers.db.ts';
import { isUniqueViolation } from '../platform/db/constraint-errors.ts';
import type { Queryable, TenantQueryable } from '../platform/db/queryable.ts';
import { fieldsOf } from '../platform/db/rows.ts';
import { conflict, found } from '../platform/errors.ts';
import { type Identity, IdentityUpdate } from './identities.contract.ts';
import { type IdentityRow, insertIdentity, type NewIdentity, updateIdentity } from './identities.db.ts';
import { identityContext, openReplies, type ReplyKeyring } from './sealed-replies.ts';

/** Opens the attributes. */
export async function readIdentity(
  keyring: ReplyKeyring,
  q: TenantQueryable,
  { sealed_attributes, ...row }: IdentityRow,
): Promise<Static<typeof Identity>> {
  const attributes = await openReplies(keyring, q, sealed_attributes, identityContext(row.id));
  return { ...row, attributes };
}

const addressTaken = () => conflict('This channel identity belongs to a customer already');

/** An address, own or alias, belongs to one identity of a tenant (contract, section 7). */
export async function addIdentity(q: Queryable, identity: NewIdentity): Promise<IdentityRow> {
  try {
    const { row } = await q.run({
      customer: customerExists(identity.customer_id),
      row: insertIdentity(identity),
    });
    if (row) return row;
  } catch (error) {
    if (!isUniqueViolation(error, 'identity_addresses_key')) throw error;
  }
  throw addressTaken();
}

/** null clears an optional field; `verified` becomes false. */
export async function changeIdentity(
  q: Queryable,
  ids: { customer_id: string; identity_id: string },
  request: Static<typeof IdentityUpdate>,
): Promise<IdentityRow> {
  const { verified, ...fields } = fieldsOf(IdentityUpdate, request);
  const changes = verified === undefined ? fields : { ...fields, verified: verified ?? false };
  try {
    const { row } = await q.run({
      customer: customerExists(ids.customer_id),
      row: updateIdentity(ids, changes),
    });
    return found('Identity', row);
  } catch (error) {
    throw isUniqueViolation(error) ? addressTaken() : error;
  }
}
