import type { Static } from 'typebox';
import { customerExists, findCountry } from '../customers/customers.db.ts';
import { isUniqueViolation } from '../platform/db/constraint-errors.ts';
import type { Queryable, TenantQueryable } from '../platform/db/queryable.ts';
import { fieldsOf } from '../platform/db/rows.ts';
import { conflict, found } from '../platform/errors.ts';
import { type Identity, IdentityUpdate } from './identities.contract.ts';
import {
  findOwnAddress,
  type IdentityRow,
  insertIdentity,
  type NewIdentity,
  updateIdentity,
} from './identities.db.ts';
import { addressKey } from './phone-numbers.ts';
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
export async function addIdentity(
  q: Queryable,
  identity: Omit<NewIdentity, 'address_key'>,
  isNamed: boolean,
): Promise<IdentityRow> {
  const { customer_id, channel, external_id } = identity;
  const address_key = addressKey(channel, external_id, await q.run(findCountry(customer_id)));
  try {
    const { row } = await q.run({
      customer: customerExists(customer_id),
      row: insertIdentity({ ...identity, address_key }, isNamed),
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
  isNamed: boolean,
): Promise<IdentityRow> {
  const { verified, ...fields } = fieldsOf(IdentityUpdate, request);
  const changes = verified === undefined ? fields : { ...fields, verified: verified ?? false };
  const address_key = await newKey(q, ids, changes);
  try {
    const { row } = await q.run({
      customer: customerExists(ids.customer_id),
      row: updateIdentity(ids, changes, address_key, isNamed),
    });
    return found('Identity', row);
  } catch (error) {
    throw isUniqueViolation(error) ? addressTaken() : error;
  }
}

/** null where the address stays. */
async function newKey(
  q: Queryable,
  ids: { customer_id: string; identity_id: string },
  changes: { channel?: string; external_id?: string },
): Promise<string | null> {
  if (changes.channel === undefined && changes.external_id === undefined) return null;
  const address = await q.run(findOwnAddress(ids));
  if (!address) return null;
  const { channel, external_id, country_code } = { ...address, ...changes };
  return addressKey(channel, external_id, country_code);
}
