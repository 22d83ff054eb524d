import type { TenantQueryable } from '../platform/db/queryable.ts';
import { isForeignKeyViolation } from '../platform/db/refusals.ts';
import { notFound } from '../platform/errors.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { hmac } from '../secrets/sealing.ts';
import type { Services } from '../services.ts';
import { isActive, isLocked } from './lockout.ts';
import { type PinOwner, type PinRow, upsertPin } from './pins.db.ts';

export { deletePin, findPin, findPinOfUser } from './pins.db.ts';

/** Specification, section 2.4. */
export interface PinStatus {
  has_pin: boolean;
  is_active: boolean;
  is_locked: boolean;
  locked_until: Date | null;
  created_at: Date | null;
}

const NO_PIN: PinStatus = {
  has_pin: false,
  is_active: false,
  is_locked: false,
  locked_until: null,
  created_at: null,
};

export function pinStatus(pin: PinRow | undefined, now: Date): PinStatus {
  if (!pin) return NO_PIN;
  const is_locked = isLocked(pin, now);
  return {
    has_pin: true,
    is_active: isActive(pin),
    is_locked,
    locked_until: is_locked ? pin.locked_until : null,
    created_at: pin.created_at,
  };
}

/**
 * What is hashed in place of a PIN: there are so few PINs that a hash alone would not hide one from who has the
 * database. Bound to the owner, so a hash that is copied to another owner's row verifies nothing there.
 */
export const pepper = (keyring: Keyring, owner: PinOwner, pin: string): string =>
  hmac(keyring.serviceKey('pin-pepper'), `${owner.identity_id ?? owner.customer_id}:${pin}`).toString('hex');

/** Sets the PIN of a customer or identity that is there; attempts, lock and sessions of the one before end. */
export async function setPin(
  { hasher, keyring, clock }: Services,
  q: TenantQueryable,
  owner: PinOwner,
  pin: string,
): Promise<{ is_new: boolean; status: PinStatus }> {
  const pin_hash = await hasher.hash(pepper(keyring, owner, pin), { tenant_id: q.tenant_id });
  try {
    const now = clock();
    const row = await upsertPin(q, owner, pin_hash, now);
    return { is_new: row.is_new, status: pinStatus(row, now) };
  } catch (error) {
    if (isForeignKeyViolation(error, 'pins_identity')) throw notFound('Identity');
    throw error;
  }
}
