import type { FieldDocs } from '../platform/contract/wording.ts';

export const pinsDocs: FieldDocs = {
  texts: {
    'PinVerifyResult.error': 'Why the PIN was not accepted',
    has_pin: 'True where a PIN is set',
    locked_until: 'When a PIN is accepted again; null where it is not locked',
    pin_applies_to: 'Whose PIN is asked for',
    pin_required_skills: 'The skills that need a PIN',
    pin_session_ttl_minutes: 'Minutes that a proof lasts',
    required: 'True where a PIN is needed',
    session_token: 'The token that a right PIN was answered with',
    session_ttl_minutes: 'Minutes that the proof lasts',
    valid: 'True where everything is as it should be',
  },
  examples: {
    locked_until: null,
    pin: '246810',
    current_pin: '135791',
    purpose: 'timesheet',
    'x-pin-session': 'example-session-token',
    has_pin: true,
    required: true,
    session_token: 'example-session-token',
    session_ttl_minutes: 15,
    pin_session_ttl_minutes: 15,
    remaining_attempts: 5,
    pin_required_skills: ['timesheet'],
    pin_applies_to: 'all',
    valid: true,
  },
};
