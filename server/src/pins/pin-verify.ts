import type { Queryable, TenantQueryable } from '../platform/db/queryable.ts';
import { found } from '../platform/errors.ts';
import { sha256 } from '../secrets/sealing.ts';
import { mintSecret } from '../secrets/secret-formats.ts';
import { ATTEMPTS_UNTIL_LOCK, lockSchedule, mayTry, remainingAfter } from './lockout.ts';
import {
  beginPinSession,
  findPinSession,
  type ReservedAttempt,
  reserveAttempt,
  returnAttempt,
} from './pin-attempts.db.ts';
import { findPinPolicy } from './pin-policies.db.ts';
import type { PinSubject } from './pin-subjects.ts';
import type { PinError } from './pin-verify.contract.ts';
import { findEffectivePin } from './pins.db.ts';
import { type PinServices, pepper } from './pins.ts';

/** Specification, section 2.7. */
export interface PinVerification {
  verified: boolean;
  session_token: string | null;
  session_ttl_minutes: number | null;
  remaining_attempts: number;
  error: PinError | null;
}

/**
 * Checks a PIN. An attempt is reserved before its hash is computed and stays spent unless the PIN is right; a right PIN
 * clears all attempts and the lock, including attempts reserved meanwhile. A PIN that is locked costs neither a hash nor
 * an attempt. When the PIN is replaced while the hash is computed, the guess starts again with the new PIN.
 */
export async function verifyPin(
  services: PinServices,
  q: TenantQueryable,
  instance_id: string,
  subject: PinSubject,
  guess: string,
): Promise<PinVerification> {
  const { pin_session_ttl_minutes } = found('Instance', await q.run(findPinPolicy(instance_id)));
  for (;;) {
    const pin = await q.run(findEffectivePin(subject));
    if (!pin) return refused('pin_not_set', ATTEMPTS_UNTIL_LOCK);
    if (!mayTry(pin, q.now)) return refused('pin_locked', 0);
    const attempt = await q.run(reserveAttempt(pin.id, lockSchedule));
    if (!attempt) continue;
    if (!(await isRight(services, q, attempt, pepper(services.keyring, pin, guess)))) {
      return refused('pin_invalid', remainingAfter(attempt.nth));
    }
    const session_token = mintSecret();
    const session = {
      token_hash: sha256(session_token),
      instance_id,
      identity_id: subject.identity_id,
      ttl_minutes: pin_session_ttl_minutes,
    };
    if (await q.run(beginPinSession(attempt, session))) {
      return {
        verified: true,
        session_token,
        session_ttl_minutes: pin_session_ttl_minutes,
        remaining_attempts: ATTEMPTS_UNTIL_LOCK,
        error: null,
      };
    }
  }
}

/** Returns the attempt when no hash is computed, because too many calls wait for one. */
async function isRight(
  { hasher }: PinServices,
  q: TenantQueryable,
  attempt: ReservedAttempt,
  peppered: string,
): Promise<boolean> {
  try {
    return await hasher.verify(attempt.pin_hash, peppered, { tenant_id: q.tenant_id });
  } catch (error) {
    await q.run(returnAttempt(attempt));
    throw error;
  }
}

const refused = (error: PinError, remaining_attempts: number): PinVerification => ({
  verified: false,
  session_token: null,
  session_ttl_minutes: null,
  remaining_attempts,
  error,
});

/** Looks up a session by its token (contract, section 5). */
export async function checkPinSession(
  q: Queryable,
  instance_id: string,
  session_token: string,
): Promise<{ valid: boolean; expires_at: Date | null }> {
  const session = await q.run(findPinSession({ token_hash: sha256(session_token), instance_id }));
  return { valid: session !== undefined, expires_at: session?.expires_at ?? null };
}
