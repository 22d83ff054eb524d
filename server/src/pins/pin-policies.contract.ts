import Type from 'typebox';
import { NamedObject, named } from '../platform/contract/named.ts';
import { operation } from '../platform/contract/operation.ts';
import { about, Clearable, InstanceParams, Int, Literals, Text, Uuid } from '../platform/contract/shapes.ts';

const tag = 'PINs';

/** Identities with the role `owner`, all others, or both. */
const PIN_AUDIENCES = ['owner', 'customer', 'all'] as const;
export type PinAudience = (typeof PIN_AUDIENCES)[number];

const Audience = named('PinAudience', Literals(PIN_AUDIENCES));

export const PinPolicy = NamedObject('PinPolicy', {
  instance_id: Uuid,
  hostname: about(Type.String(), 'The instance’s hostname'),
  pin_applies_to: Audience,
  pin_required_skills: Type.Array(Type.String()),
  pin_session_ttl_minutes: Type.Integer(),
  enforced: Type.Boolean({
    description:
      'true: the service itself asks for X-Pin-Session on the routes of these skills and on changes of a PIN',
  }),
  require_sender_token: Type.Boolean({
    description:
      'true: the internal routes take no call without X-Sender-Token, but for those of the runtime itself',
  }),
});

export const getPinPolicy = operation({
  id: 'get_pin_policy',
  method: 'GET',
  path: '/v1/instances/{instance_id}/pin-policy',
  tag,
  summary: 'When an instance asks for a PIN',
  description: 'The skills that need a PIN, whose PIN it is, and how long a proof lasts.',
  credential: 'tenant',
  scope: 'pins:read',
  params: InstanceParams,
  responses: { 200: PinPolicy },
});

export const updatePinPolicy = operation({
  id: 'update_pin_policy',
  method: 'PATCH',
  path: '/v1/instances/{instance_id}/pin-policy',
  tag,
  summary: 'Change when an instance asks for a PIN',
  description: 'Only supplied fields change.',
  credential: 'admin',
  scope: 'pins:write',
  params: InstanceParams,
  body: NamedObject('PinPolicyUpdate', {
    pin_applies_to: about(Clearable(Audience), 'Who is asked: owners, the other senders, or all'),
    pin_required_skills: about(
      Clearable(Type.Array(Text(200, 1), { maxItems: 200 })),
      'The slugs of the skills that ask for a PIN first',
    ),
    pin_session_ttl_minutes: about(
      Clearable(Int({ minimum: 1, maximum: 1440 })),
      'How long a PIN that was right counts',
    ),
    enforced: about(
      Clearable(Type.Boolean()),
      'Whether the service itself asks for the session, and not the runtime alone',
    ),
    require_sender_token: about(
      Clearable(Type.Boolean()),
      'Whether internal calls without a sender’s token are refused, with 403 `sender_token_required`',
    ),
  }),
  responses: { 200: PinPolicy },
});
