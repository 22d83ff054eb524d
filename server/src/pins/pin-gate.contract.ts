import Type from 'typebox';
import { SenderTokenHeader } from '../identities/senders.contract.ts';
import { about } from '../platform/contract/shapes.ts';

/** The exact error messages (contract, section 17): runtimes compare them. */
export const PIN_REQUIRED = 'pin_required';
export const PIN_NOT_SET = 'pin_not_set';

export const PIN_SESSION_HEADER = 'x-pin-session';

const PinSessionHeader = Type.Object({
  [PIN_SESSION_HEADER]: about(
    Type.Optional(Type.String()),
    'The session_token of verify_pin. Where the PIN policy is enforced and it is missing, 403 `pin_required`',
  ),
});

export const ProofHeaders = Type.Object({ ...SenderTokenHeader.properties, ...PinSessionHeader.properties });

/** Needs a PIN session where an enforced policy protects one of the skills. */
export const protectedBy = (...skills: string[]) => ({ protectedBy: skills, headers: ProofHeaders });
