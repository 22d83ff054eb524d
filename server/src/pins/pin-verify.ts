import type { Sender } from '../platform/actor.ts';
import type { Queryable, TenantQueryable } from '../platform/db/queryable.ts';
import { found } from '../platform/errors.ts';
import { sha256 } from '../secrets/sealing.ts';
import { mintSecret } from '../secrets/secret-formats.ts';
import { clearAttempts, lockPin } from './pin-attempts.db.ts';
import { checkGuess, type GuessResult } from './pin-attempts.ts';
import { isOfSender } from './pin-gate.ts';
import { findPinPolicy } from './pin-policies.db.ts';
import { findPinSession, insertPinSession } from './pin-sessions.db.ts';
import type { PinSubject } from './pin-subjects.ts';
import type { PinServices } from './pins.ts';

/** Specification, section 2.7. */
interface PinVerification extends GuessResult {
  verified: boolean;
  session_token: string | null;
  session_ttl_minutes: number | null;
}

/** A right PIN begins a session, for one purpose or for all. */
export async function verifyPin(
  services: PinServices,
  q: TenantQueryable,
  instance_id: string,
  subject: PinSubject,
  { guess, purpose }: { guess: string; purpose: string | null },
): Promise<PinVerification> {
  const { pin_session_ttl_minutes } = found('Instance', await q.run(findPinPolicy(instance_id)));
  const session_token = mintSecret();
  const session = {
    token_hash: sha256(session_token),
    instance_id,
    identity_id: subject.identity_id,
    purpose,
    ttl_minutes: pin_session_ttl_minutes,
  };
  const result = await checkGuess(services, q, subject, guess, async (attempt) => {
    const { isRight } = await q.run({
      lock: lockPin(attempt.pin_id),
      isRight: clearAttempts(attempt),
      session: insertPinSession(attempt, session),
    });
    return isRight;
  });
  const verified = result.error === null;
  return {
    verified,
    session_token: verified ? session_token : null,
    session_ttl_minutes: verified ? pin_session_ttl_minutes : null,
    remaining_attempts: result.remaining_attempts,
    error: result.error,
  };
}

/** Contract, section 5. A session for a purpose counts only for it, and another sender's never. */
export async function checkPinSession(
  q: Queryable,
  instance_id: string,
  {
    session_token,
    purpose,
    sender,
  }: { session_token: string; purpose: string | null; sender: Sender | undefined },
): Promise<{ valid: boolean; expires_at: Date | null }> {
  const session = await q.run(findPinSession({ token_hash: sha256(session_token), instance_id }));
  const valid =
    session !== undefined &&
    (session.purpose === null || session.purpose === purpose) &&
    isOfSender(session, sender);
  return { valid, expires_at: valid ? session.expires_at : null };
}
