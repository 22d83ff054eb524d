import type { Queryable } from '../platform/db/queryable.ts';
import { cleared } from '../platform/json/cleared.ts';
import { mayTry } from './lockout.ts';
import type { PinAudience } from './pin-policies.contract.ts';
import {
  DEFAULT_POLICY,
  getPinPolicy,
  type PinPolicyChange,
  type PinPolicyRow,
  upsertPinPolicy,
} from './pin-policies.db.ts';
import type { PinSubject } from './pin-subjects.ts';
import { findEffectivePin, type PinRow } from './pins.db.ts';

export { getPinPolicy } from './pin-policies.db.ts';

/** Changes what is given of a policy; null brings a default back (contract, section 5). */
export const changePinPolicy = (
  q: Queryable,
  instance_id: string,
  change: { [K in keyof PinPolicyChange]: PinPolicyChange[K] | null },
  now: Date,
): Promise<PinPolicyRow> =>
  upsertPinPolicy(
    q,
    instance_id,
    {
      pin_applies_to: cleared(change.pin_applies_to, DEFAULT_POLICY.pin_applies_to),
      pin_required_skills: cleared(change.pin_required_skills, DEFAULT_POLICY.pin_required_skills),
      pin_session_ttl_minutes: cleared(
        change.pin_session_ttl_minutes,
        DEFAULT_POLICY.pin_session_ttl_minutes,
      ),
    },
    now,
  );

export interface PinRequirement extends Pick<PinPolicyRow, 'pin_required_skills' | 'pin_applies_to'> {
  required: boolean;
  has_pin: boolean;
  /** No PIN can be entered now. */
  is_locked: boolean;
}

/** Whether a sender has to confirm the skills of an instance's policy. */
export async function checkPinRequired(
  q: Queryable,
  instance_id: string,
  subject: PinSubject,
  now: Date,
): Promise<PinRequirement> {
  const [policy, pin] = await Promise.all([getPinPolicy(q, instance_id), findEffectivePin(q, subject)]);
  return pinRequirement(policy, pin, subject.role_override, now);
}

/**
 * A pure decision. A PIN that is locked, or inactive after too many wrong attempts, is still required: else whoever
 * guesses often enough would open what it protects.
 */
function pinRequirement(
  { pin_applies_to, pin_required_skills }: PinPolicyRow,
  pin: PinRow | undefined,
  role_override: string | null,
  now: Date,
): PinRequirement {
  return {
    required: pin !== undefined && appliesTo(pin_applies_to, role_override),
    has_pin: pin !== undefined,
    is_locked: pin !== undefined && !mayTry(pin, now),
    pin_required_skills,
    pin_applies_to,
  };
}

/** Whether a policy is for a sender, of whom only an identity with the role `owner` is an owner. */
function appliesTo(audience: PinAudience, role_override: string | null): boolean {
  const role = role_override?.toLowerCase() === 'owner' ? 'owner' : 'customer';
  return audience === 'all' || audience === role;
}
