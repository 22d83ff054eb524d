import type { Queryable } from '../platform/db/queryable.ts';
import { found } from '../platform/errors.ts';
import { orDefault } from '../platform/json/or-default.ts';
import { mayGuess } from './lockout.ts';
import { toLockState } from './pin-attempts.ts';
import type { PinAudience } from './pin-policies.contract.ts';
import {
  DEFAULT_POLICY,
  findPinPolicy,
  type PinPolicyChange,
  type PinPolicyRow,
  upsertPinPolicy,
} from './pin-policies.db.ts';
import type { PinSubject } from './pin-subjects.ts';
import { type EffectivePinRow, findEffectivePin } from './pins.db.ts';

/** null restores a default (contract, section 5). */
export async function changePinPolicy(
  q: Queryable,
  instance_id: string,
  change: { [Field in keyof PinPolicyChange]: PinPolicyChange[Field] | null },
): Promise<PinPolicyRow> {
  const { pin_applies_to, pin_required_skills, pin_session_ttl_minutes, enforced, require_sender_token } =
    change;
  const policy = upsertPinPolicy(instance_id, {
    pin_applies_to: orDefault(pin_applies_to, DEFAULT_POLICY.pin_applies_to),
    pin_required_skills: orDefault(pin_required_skills, DEFAULT_POLICY.pin_required_skills),
    pin_session_ttl_minutes: orDefault(pin_session_ttl_minutes, DEFAULT_POLICY.pin_session_ttl_minutes),
    enforced: orDefault(enforced, DEFAULT_POLICY.enforced),
    require_sender_token: orDefault(require_sender_token, DEFAULT_POLICY.require_sender_token),
  });
  return found('Instance', await q.run(policy));
}

interface PinRequirement extends Pick<PinPolicyRow, 'pin_required_skills' | 'pin_applies_to'> {
  required: boolean;
  has_pin: boolean;
  /** This sender can enter no PIN now. */
  is_locked: boolean;
}

export async function checkPinRequired(
  q: Queryable,
  instance_id: string,
  subject: PinSubject,
): Promise<PinRequirement> {
  const [policy, pin] = await q.run(findPinPolicy(instance_id), findEffectivePin(subject));
  return pinRequirement(found('Instance', policy), pin, subject.role_override, q.now);
}

/** A locked or inactive PIN is still required: otherwise enough guesses would open everything that it protects. */
function pinRequirement(
  { pin_applies_to, pin_required_skills }: PinPolicyRow,
  pin: EffectivePinRow | undefined,
  role_override: string | null,
  now: Date,
): PinRequirement {
  return {
    required: pin !== undefined && appliesTo(pin_applies_to, role_override),
    has_pin: pin !== undefined,
    is_locked: pin !== undefined && !mayGuess(toLockState(pin), now),
    pin_required_skills,
    pin_applies_to,
  };
}

/** Only an identity with the role `owner` is an owner. */
export function appliesTo(audience: PinAudience, role_override: string | null): boolean {
  const role = role_override?.toLowerCase() === 'owner' ? 'owner' : 'customer';
  return audience === 'all' || audience === role;
}
