import { ofCustomer } from '../customers/customers.ts';
import type { Queryable } from '../platform/db/queryable.ts';
import { isUniqueViolation } from '../platform/db/refusals.ts';
import { conflict, notFound } from '../platform/errors.ts';
import { spellingsOf } from './address-spellings.ts';
import { type IdentityRow, insertIdentity, listIdentitiesAt, type NewIdentity } from './identities.db.ts';
import { findServedIdentity, type ServedIdentityRow } from './identity-addresses.db.ts';

export { deleteIdentity } from './identities.db.ts';

const addressTaken = () => conflict('This channel identity belongs to a customer already');

/** An address finds one identity of a tenant, whether it is the identity's own or an alias (contract, section 7). */
export async function addIdentity(q: Queryable, identity: NewIdentity): Promise<IdentityRow> {
  let row: IdentityRow | undefined;
  try {
    row = await ofCustomer(q, identity.customer_id, insertIdentity(q, identity));
  } catch (error) {
    if (isUniqueViolation(error, 'identity_addresses_key')) throw addressTaken();
    throw error;
  }
  if (!row) throw addressTaken();
  return row;
}

/** Those with an `external_id` are the ones that it finds. */
export const listIdentities = (
  q: Queryable,
  customer_id: string,
  { channel, external_id }: { channel?: string | undefined; external_id?: string | undefined },
  limit: number,
  offset: number,
) => {
  const external_ids = external_id === undefined ? null : spellingsOf(external_id);
  return listIdentitiesAt(q, customer_id, { channel, external_ids }, limit, offset);
};

/** The identity of an address, if it is of a customer that the instance serves. */
export async function lookUpIdentity(
  q: Queryable,
  instance_id: string,
  { channel, external_id }: { channel: string; external_id: string },
): Promise<ServedIdentityRow> {
  const identity = await findServedIdentity(q, instance_id, channel, spellingsOf(external_id));
  if (!identity) throw notFound('Identity');
  return identity;
}
