import type { Hasher } from '../access/hasher.port.ts';
import type { TenantQueryable } from '../platform/db/queryable.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { hmac } from '../secrets/sealing.ts';
import { isActive, isLocked } from './lockout.ts';
import { clearTries, findPin, type PinOwner, type PinRow, upsertPin } from './pins.db.ts';

export interface PinServices {
  keyring: Keyring;
  hasher: Hasher;
}

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
 * There are so few PINs that a copy of the database would reveal all: the key prevents that. The owner's id makes a
 * hash useless in another owner's row.
 */
export const pepper = (keyring: Keyring, owner: PinOwner, pin: string): string =>
  hmac(keyring.serviceKey('pin-pepper'), `${owner.identity_id ?? owner.customer_id}:${pin}`).toString('hex');

export const hashPin = ({ hasher, keyring }: PinServices, q: TenantQueryable, owner: PinOwner, pin: string) =>
  hasher.hash(pepper(keyring, owner, pin), { tenant_id: q.tenant_id });

/** Attempts, locks and sessions of the previous PIN end. */
export async function setCustomerPin(
  services: PinServices,
  q: TenantQueryable,
  customer_id: string,
  pin: string,
): Promise<{ is_new: boolean; status: PinStatus }> {
  const owner = { customer_id, identity_id: null };
  const pin_hash = await hashPin(services, q, owner, pin);
  const { upserted, row } = await q.run({
    upserted: upsertPin(owner, pin_hash),
    cleared: clearTries(owner),
    row: findPin(owner),
  });
  return { is_new: upserted.is_new, status: pinStatus(row, q.now) };
}
