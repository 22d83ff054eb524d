import { customerExists, findCountry } from '../customers/customers.db.ts';
import { addressKey } from '../identities/phone-numbers.ts';
import { isUniqueViolation } from '../platform/db/constraint-errors.ts';
import type { Queryable } from '../platform/db/queryable.ts';
import { conflict } from '../platform/errors.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { type BindingRow, insertBinding } from './bindings.db.ts';
import { staffExists } from './staff.db.ts';

interface Address {
  channel_type: string;
  channel_address: string;
}

/** Salted with the address, so equal codes have different hashes. */
export const codeHash = (
  keyring: Keyring,
  { channel_type, channel_address }: Address,
  code: string,
): Buffer => keyring.lookupHash('binding-code', JSON.stringify([channel_type, channel_address, code.trim()]));

/** A rejected binding frees its address (contract, sections 6 and 16). */
export async function addBinding(
  q: Queryable,
  keyring: Keyring,
  request: Address & { customer_id: string; person_id: string; code: string | null },
  isNamed: boolean,
): Promise<BindingRow> {
  const { code, ...binding } = request;
  const { customer_id, channel_type, channel_address } = binding;
  const code_hash = code === null ? null : codeHash(keyring, binding, code);
  const address_key = addressKey(channel_type, channel_address, await q.run(findCountry(customer_id)));
  const { row } = await q
    .run({
      customer: customerExists(customer_id),
      person: staffExists(request),
      row: insertBinding({ ...binding, address_key, code_hash }, isNamed),
    })
    .catch((error: unknown) => {
      if (!isUniqueViolation(error)) throw error;
      return { row: undefined };
    });
  if (!row) throw conflict('This channel address is bound to a person already');
  return row;
}
