import Type from 'typebox';
import { ofSender } from '../identities/senders.contract.ts';
import { NamedObject } from '../platform/contract/named.ts';
import { operation } from '../platform/contract/operation.ts';
import {
  about,
  Clearable,
  InstanceParams,
  Literals,
  Nullable,
  query,
  secret,
  Text,
  Timestamp,
  Uuid,
} from '../platform/contract/shapes.ts';
import { PinPolicy } from './pin-policies.contract.ts';

const tag = 'PINs';

const PIN_ERRORS = ['pin_invalid', 'pin_locked', 'pin_not_set'] as const;
export type PinError = (typeof PIN_ERRORS)[number];

const Purpose = Text(200, 1);

export const verifyPin = operation({
  id: 'verify_pin',
  changesNothing: true,
  method: 'POST',
  path: '/internal/v1/instances/{instance_id}/pin/verify',
  tag,
  summary: 'Check a PIN',
  description:
    'The identity’s PIN where it has one, else its customer’s; with neither id, the customer of a dedicated instance. Five wrong ones in a row lock it for this sender, twenty for all. A failure is told in the result. An inactive PIN is told as locked. With X-Sender-Token, the digits are masked in the sender’s last messages; a message that is forwarded again then carries the mask.',
  credential: 'instance',
  scope: null,
  params: InstanceParams,
  ...ofSender({ customer_id: 'body', identity_id: 'body' }),
  body: NamedObject('PinVerifyRequest', {
    pin: secret(Type.String({ description: 'What does not look like a PIN counts as a wrong one' })),
    customer_id: Clearable(Uuid),
    identity_id: Clearable(Uuid),
    purpose: about(
      Clearable(Purpose),
      'The slug of the skill, or the tool, that the session is to count for alone; without one it counts for all',
    ),
  }),
  responses: {
    200: NamedObject('PinVerifyResult', {
      verified: Type.Boolean(),
      session_token: Nullable(secret(Type.String({ description: 'Shown once' }))),
      session_ttl_minutes: Nullable(Type.Integer()),
      remaining_attempts: Type.Integer({
        description: 'Before the PIN is locked, for this sender or for all',
      }),
      error: Nullable(Literals(PIN_ERRORS)),
    }),
  },
  failures: [429],
});

export const checkPinSession = operation({
  id: 'check_pin_session',
  method: 'POST',
  path: '/internal/v1/instances/{instance_id}/pin/session',
  tag,
  summary: 'Whether a session that a right PIN began is still valid on this instance',
  description:
    'A session belongs to the instance at which the PIN was proven. With X-Sender-Token, a session that another identity began is not valid.',
  credential: 'instance',
  scope: null,
  params: InstanceParams,
  ...ofSender({}),
  body: NamedObject('PinSessionRequest', {
    session_token: secret(Text(1000)),
    purpose: about(
      Clearable(Purpose),
      'What it has to count for; without one, a session for one purpose alone is not valid',
    ),
  }),
  responses: { 200: NamedObject('PinSession', { valid: Type.Boolean(), expires_at: Nullable(Timestamp) }) },
});

export const checkPinRequired = operation({
  id: 'check_pin_required',
  method: 'POST',
  path: '/internal/v1/instances/{instance_id}/pin/check-required',
  tag,
  summary: 'Whether a sender has to confirm the protected skills with a PIN',
  description:
    'Nobody is asked for a PIN that is not set. One that is locked or inactive is still required: it does not open what it protects.',
  credential: 'instance',
  scope: null,
  params: InstanceParams,
  ...ofSender({ customer_id: 'query', identity_id: 'query' }),
  query: query({ customer_id: Uuid, identity_id: Type.Optional(Uuid) }),
  responses: {
    200: NamedObject('PinRequirement', {
      required: Type.Boolean(),
      has_pin: Type.Boolean(),
      is_locked: Type.Boolean({ description: 'This sender can enter no PIN now' }),
      pin_required_skills: PinPolicy.properties.pin_required_skills,
      pin_applies_to: PinPolicy.properties.pin_applies_to,
    }),
  },
});
