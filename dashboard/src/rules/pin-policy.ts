import type { PinAudience, PinPolicy } from '@agent-control-plane/sdk';
import { listed, plural } from './words.ts';

const ASKED: Record<PinAudience, string> = {
  owner: 'owners',
  customer: 'everybody but owners',
  all: 'everybody',
};

type Policy = Pick<
  PinPolicy,
  'pin_applies_to' | 'pin_required_skills' | 'pin_session_ttl_minutes' | 'enforced'
>;

/** When an agent asks for a PIN, in a sentence or two. */
export function pinPolicyWords(policy: Policy): string {
  const { pin_required_skills: skills, pin_session_ttl_minutes: minutes } = policy;
  if (skills.length === 0) return 'Asks nobody for a PIN.';
  const asks = `Asks ${ASKED[policy.pin_applies_to]} for a PIN before ${listed(skills)}; a right one counts for ${plural(minutes, 'minute')}.`;
  return policy.enforced
    ? `${asks} The service refuses those without one.`
    : `${asks} Only the agent asks: the service does not check.`;
}
