import { isForeignKeyViolation } from '../platform/db/constraint-errors.ts';
import type { TenantQueryable } from '../platform/db/queryable.ts';
import { conflict, forbidden, found, notFound } from '../platform/errors.ts';
import { sha256 } from '../secrets/sealing.ts';
import { acceptOnly, checkGuess } from './pin-attempts.ts';
import { PIN_REQUIRED } from './pin-gate.contract.ts';
import { findPinPolicy } from './pin-policies.db.ts';
import { findPinSession } from './pin-sessions.db.ts';
import type { IdentitySubject } from './pin-subjects.ts';
import {
  deletePin,
  findEffectivePin,
  findPin,
  lockIdentity,
  type PinRow,
  pinStillApplies,
  upsertPin,
} from './pins.db.ts';
import { hashPin, type PinServices, type PinStatus, pinStatus } from './pins.ts';

interface Proof {
  session_token: string | null;
  current_pin?: string | null | undefined;
}

interface Change {
  instance_id: string;
  subject: IdentitySubject;
  proof: Proof;
}

/** Sessions of the previous PIN end; the identity's attempts stay. */
export async function setOwnPin(
  services: PinServices,
  q: TenantQueryable,
  change: Change,
  pin: string,
): Promise<{ is_new: boolean; status: PinStatus }> {
  const { subject } = change;
  const proven = await requireProof(services, q, change);
  const pin_hash = await hashPin(services, q, subject, pin);
  try {
    const { upserted, row } = await q.run({
      lock: lockIdentity(subject.identity_id),
      policy: pinStillApplies(subject, proven),
      upserted: upsertPin(subject, pin_hash),
      row: findPin(subject),
    });
    return { is_new: upserted.is_new, status: pinStatus(row, q.now) };
  } catch (error) {
    if (isForeignKeyViolation(error, 'pins_identity')) throw notFound('Identity');
    throw error;
  }
}

/** The identity's attempts stay. */
export async function deleteOwnPin(services: PinServices, q: TenantQueryable, change: Change): Promise<void> {
  const { subject } = change;
  const proven = await requireProof(services, q, change);
  await q.run(lockIdentity(subject.identity_id), pinStillApplies(subject, proven), deletePin(subject));
}

/**
 * Contract, section 17.
 * @returns the proven PIN's version, so `pinStillApplies` refuses one of two concurrent changes
 */
async function requireProof(
  services: PinServices,
  q: TenantQueryable,
  { instance_id, subject, proof }: Change,
) {
  const [policy, pin] = await q.run(findPinPolicy(instance_id), findEffectivePin(subject));
  const { enforced } = found('Instance', policy);
  if (enforced && pin && !(await isSessionOf(q, instance_id, pin, proof))) {
    await requireCurrentPin(services, q, subject, proof);
  }
  return { enforced, version: pin?.version ?? null };
}

/** A session for one purpose does not change a PIN. */
async function isSessionOf(q: TenantQueryable, instance_id: string, pin: PinRow, { session_token }: Proof) {
  if (session_token === null) return false;
  const session = await q.run(findPinSession({ token_hash: sha256(session_token), instance_id }));
  return session?.pin_id === pin.id && session.purpose === null;
}

async function requireCurrentPin(
  services: PinServices,
  q: TenantQueryable,
  subject: IdentitySubject,
  { current_pin }: Proof,
): Promise<void> {
  if (current_pin === undefined || current_pin === null) throw forbidden(PIN_REQUIRED);
  const { error } = await checkGuess(services, q, subject, current_pin, acceptOnly(q));
  if (error === 'pin_locked') throw conflict('The PIN is locked after too many wrong attempts');
  if (error !== null) throw forbidden(PIN_REQUIRED);
}
