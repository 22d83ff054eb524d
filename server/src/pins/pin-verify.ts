import type { Queryable, TenantQueryable } from '../platform/db/queryable.ts';
import { sha256 } from '../secrets/sealing.ts';
import { mintSecret } from '../secrets/secret-formats.ts';
import type { Services } from '../services.ts';
import { ATTEMPTS_UNTIL_LOCK, lockSchedule, mayTry, remainingAfter } from './lockout.ts';
import {
  beginPinSession,
  findPinSession,
  type ReservedAttempt,
  reserveAttempt,
  returnAttempt,
} from './pin-attempts.db.ts';
import { getPinPolicy } from './pin-policies.db.ts';
import type { PinSubject } from './pin-subjects.ts';
import type { PinError } from './pin-verify.contract.ts';
import { findEffectivePin } from './pins.db.ts';
import { pepper } from './pins.ts';

/** Specification, section 2.7. */
export interface PinVerification {
  verified: boolean;
  session_token: string | null;
  session_ttl_minutes: number | null;
  remaining_attempts: number;
  error: PinError | null;
}

/**
 * Checks a PIN. An attempt is reserved before its hash is computed and stays spent unless the PIN is right: a right one
 * among those that were reserved clears attempts and lock, whatever else was reserved meanwhile. A PIN that cannot be
 * tried costs neither a hash nor an attempt. When the PIN changes while its hash is computed, the guess begins again
 * with the new one.
 */
export async function verifyPin(
  services: Services,
  q: TenantQueryable,
  instance_id: string,
  subject: PinSubject,
  guess: string,
): Promise<PinVerification> {
  const { clock, keyring } = services;
  const { pin_session_ttl_minutes } = await getPinPolicy(q, instance_id);
  for (;;) {
    const pin = await findEffectivePin(q, subject);
    if (!pin) return refused('pin_not_set', ATTEMPTS_UNTIL_LOCK);
    if (!mayTry(pin, clock())) return refused('pin_locked', 0);
    const attempt = await reserveAttempt(q, pin.id, lockSchedule, clock());
    if (!attempt) continue;
    if (!(await isRight(services, q, attempt, pepper(keyring, pin, guess)))) {
      return refused('pin_invalid', remainingAfter(attempt.nth));
    }
    const session_token = mintSecret();
    const session = {
      token_hash: sha256(session_token),
      instance_id,
      identity_id: subject.identity_id,
      ttl_minutes: pin_session_ttl_minutes,
    };
    if (await beginPinSession(q, attempt, session, clock())) {
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

/** A guess that nobody looked at, because too many wait for a hash, is given back. */
async function isRight(
  { hasher }: Services,
  q: TenantQueryable,
  attempt: ReservedAttempt,
  peppered: string,
): Promise<boolean> {
  try {
    return await hasher.verify(attempt.pin_hash, peppered, { tenant_id: q.tenant_id });
  } catch (error) {
    await returnAttempt(q, attempt);
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

/** Whether a token is that of a session which has not ended, and when it will (contract, section 5). */
export async function checkPinSession(
  q: Queryable,
  instance_id: string,
  session_token: string,
  now: Date,
): Promise<{ valid: boolean; expires_at: Date | null }> {
  const session = await findPinSession(q, { token_hash: sha256(session_token), instance_id }, now);
  return { valid: session !== undefined, expires_at: session?.expires_at ?? null };
}
