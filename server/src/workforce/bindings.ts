import type { Queryable } from '../platform/db/queryable.ts';
import { conflict } from '../platform/errors.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { type BindingRow, insertBinding } from './bindings.db.ts';
import { ofStaff } from './staff.ts';

export { listBindings } from './bindings.db.ts';

interface Address {
  channel_type: string;
  channel_address: string;
}

/** Bound to the address, so that equal codes do not look alike. Space around a code does not count. */
export const codeHash = (
  keyring: Keyring,
  { channel_type, channel_address }: Address,
  code: string,
): Buffer => keyring.lookupHash('binding-code', JSON.stringify([channel_type, channel_address, code.trim()]));

/** An address speaks for one person of a tenant; one that was rejected is free again (contract, section 6). */
export async function addBinding(
  q: Queryable,
  keyring: Keyring,
  request: Address & { customer_id: string; person_id: string; code: string | null },
  now: Date,
): Promise<BindingRow> {
  const { code, ...binding } = request;
  const code_hash = code === null ? null : codeHash(keyring, binding, code);
  const row = await ofStaff(q, request, insertBinding(q, { ...binding, code_hash }, now));
  if (!row) throw conflict('This channel address is bound to a person already');
  return row;
}
