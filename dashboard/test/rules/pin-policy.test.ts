import { expect, it } from 'vitest';
import { pinPolicyWords } from '../../src/rules/pin-policy.ts';

it('says when an agent asks for a PIN', () => {
  const policy = {
    pin_applies_to: 'owner',
    pin_required_skills: ['timesheet', 'drive_search'],
    pin_session_ttl_minutes: 15,
    enforced: true,
  } as const;
  expect(pinPolicyWords({ ...policy, pin_required_skills: [...policy.pin_required_skills] })).toBe(
    'Asks owners for a PIN before timesheet and drive_search; a right one counts for 15 minutes. The service refuses those without one.',
  );
  expect(pinPolicyWords({ ...policy, pin_required_skills: [] })).toBe('Asks nobody for a PIN.');
});
