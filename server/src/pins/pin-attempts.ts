import { isForeignKeyViolation } from '../platform/db/constraint-errors.ts';
import type { TenantQueryable } from '../platform/db/queryable.ts';
import { notFound } from '../platform/errors.ts';
import { LOCK_SCHEDULES, type LockState, mayGuess, OWN_TRIES_UNTIL_LOCK, remainingAfter } from './lockout.ts';
import {
  clearAttempts,
  lockPin,
  type ReservedAttempt,
  reserveAttempt,
  returnAttempt,
  unrecorded,
} from './pin-attempts.db.ts';
import type { PinError } from './pin-verify.contract.ts';
import { type EffectivePinRow, findEffectivePin, type PinOwner } from './pins.db.ts';
import { type PinServices, pepper } from './pins.ts';

export interface GuessResult {
  error: PinError | null;
  remaining_attempts: number;
}

export const toLockState = (pin: EffectivePinRow): LockState => ({
  pin,
  own: { attempts: pin.own_attempts, locked_until: pin.own_locked_until },
});

/**
 * Reserves an attempt before hashing, and keeps it spent unless the PIN is right. A locked PIN costs neither hash nor
 * attempt; a PIN replaced during hashing is tried again.
 * @param accept is called with a right PIN and clears the attempts; false when the PIN was replaced
 */
export async function checkGuess(
  services: PinServices,
  q: TenantQueryable,
  who: PinOwner,
  guess: string,
  accept: (attempt: ReservedAttempt) => Promise<boolean>,
): Promise<GuessResult> {
  for (;;) {
    const pin = await q.run(findEffectivePin(who));
    if (!pin) return { error: 'pin_not_set', remaining_attempts: OWN_TRIES_UNTIL_LOCK };
    if (!mayGuess(toLockState(pin), q.now)) return { error: 'pin_locked', remaining_attempts: 0 };
    const attempt = await reserve(q, pin.id, who);
    if (!attempt) continue;
    if (!(await isRight(services, q, attempt, pepper(services.keyring, pin, guess)))) {
      const remaining_attempts = remainingAfter({ own: attempt.nth_of_own, pin: attempt.nth_of_pin });
      return { error: 'pin_invalid', remaining_attempts };
    }
    if (await accept(attempt)) return { error: null, remaining_attempts: OWN_TRIES_UNTIL_LOCK };
  }
}

export const acceptOnly =
  (q: TenantQueryable) =>
  async (attempt: ReservedAttempt): Promise<boolean> => {
    const { isRight } = await q.run({
      unrecorded: unrecorded(),
      lock: lockPin(attempt.pin_id),
      isRight: clearAttempts(attempt),
    });
    return isRight;
  };

async function reserve(q: TenantQueryable, pin_id: string, { identity_id }: PinOwner) {
  try {
    const { attempt } = await q.run({
      lock: lockPin(pin_id),
      attempt: reserveAttempt(pin_id, identity_id, LOCK_SCHEDULES),
    });
    return attempt;
  } catch (error) {
    if (isForeignKeyViolation(error, 'pin_tries_identity')) throw notFound('Identity');
    throw error;
  }
}

/** Returns the attempt when the hasher refuses because too many calls wait. */
async function isRight(
  { hasher }: PinServices,
  q: TenantQueryable,
  attempt: ReservedAttempt,
  peppered: string,
): Promise<boolean> {
  try {
    return await hasher.verify(attempt.pin_hash, peppered, { tenant_id: q.tenant_id });
  } catch (error) {
    await q.run(lockPin(attempt.pin_id), returnAttempt(attempt));
    throw error;
  }
}
