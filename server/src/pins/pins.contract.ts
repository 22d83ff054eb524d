import Type from 'typebox';
import { NamedObject } from '../platform/contract/named.ts';
import { operation } from '../platform/contract/operation.ts';
import {
  about,
  Clearable,
  CustomerParams,
  Nullable,
  params,
  secret,
  Timestamp,
  Uuid,
} from '../platform/contract/shapes.ts';
import { ProofHeaders } from './pin-gate.contract.ts';

const tag = 'PINs';

/** Specification, section 2.4. */
const PinStatus = NamedObject('PinStatus', {
  has_pin: Type.Boolean(),
  is_active: Type.Boolean({
    description: 'false after 100 wrong attempts in a row, until a PIN is set anew',
  }),
  is_locked: Type.Boolean({ description: 'For all, or for anybody whose PIN it is' }),
  locked_until: Nullable(Timestamp),
  created_at: Nullable(Timestamp),
});

const Pin = secret(
  Type.String({ minLength: 4, maxLength: 12, pattern: '^\\d{4,12}$', description: '4 to 12 digits' }),
);
const PinSetRequest = NamedObject('PinSetRequest', { pin: Pin });
const OwnPinSetRequest = NamedObject('OwnPinSetRequest', {
  pin: Pin,
  current_pin: about(
    Clearable(secret(Type.String())),
    'In place of X-Pin-Session: the PIN that applies now. A wrong one counts as a wrong attempt',
  ),
});
const IdentityParams = params({ instance_id: Uuid, identity_id: Uuid });

export const getCustomerPin = operation({
  id: 'get_customer_pin',
  method: 'GET',
  path: '/v1/customers/{customer_id}/pin',
  tag,
  summary: 'Whether a customer has a PIN, and its state',
  description: 'The PIN itself is kept as a hash and never returned.',
  credential: 'admin',
  scope: 'pins:read',
  params: CustomerParams,
  responses: { 200: PinStatus },
});

export const setCustomerPin = operation({
  id: 'set_customer_pin',
  method: 'POST',
  path: '/v1/customers/{customer_id}/pin',
  tag,
  summary: 'Set a customer’s PIN',
  description:
    'Replaces the one that there is (200): its sessions, and everybody’s wrong attempts and locks, end.',
  credential: 'admin',
  scope: 'pins:write',
  params: CustomerParams,
  body: PinSetRequest,
  responses: { 200: PinStatus, 201: PinStatus },
  failures: [429],
});

export const deleteCustomerPin = operation({
  id: 'delete_customer_pin',
  method: 'DELETE',
  path: '/v1/customers/{customer_id}/pin',
  tag,
  summary: 'Remove a customer’s PIN, if there is one',
  description: 'Protected skills then ask for no PIN of the customer. 204 also where there is none.',
  credential: 'admin',
  scope: 'pins:delete',
  params: CustomerParams,
  responses: { 204: null },
});

export const setIdentityPin = operation({
  id: 'set_identity_pin',
  method: 'POST',
  path: '/internal/v1/instances/{instance_id}/identities/{identity_id}/pin',
  tag,
  summary: 'Set the PIN of a sender, who asked for it in the chat',
  description:
    'From then on it counts for this identity in place of its customer’s. Where the policy is enforced and a PIN applies, X-Pin-Session or current_pin has to show that the sender knows it; 409 while it is locked. Wrong attempts stay. With X-Sender-Token, the PINs are masked in the sender’s last messages.',
  credential: 'instance',
  scope: null,
  params: IdentityParams,
  headers: ProofHeaders,
  sender: { identity_id: 'params' },
  body: OwnPinSetRequest,
  responses: { 200: PinStatus, 201: PinStatus },
  failures: [403, 409, 429],
});

export const deleteIdentityPin = operation({
  id: 'delete_identity_pin',
  method: 'DELETE',
  path: '/internal/v1/instances/{instance_id}/identities/{identity_id}/pin',
  tag,
  summary: 'Remove a sender’s own PIN, if there is one',
  description: 'Where the policy is enforced and a PIN applies, it needs X-Pin-Session. Wrong attempts stay.',
  credential: 'instance',
  scope: null,
  params: IdentityParams,
  headers: ProofHeaders,
  sender: { identity_id: 'params' },
  responses: { 204: null },
  failures: [403, 409],
});

export const resetIdentityPin = operation({
  id: 'reset_identity_pin',
  method: 'DELETE',
  path: '/v1/customers/{customer_id}/identities/{identity_id}/pin',
  tag,
  summary: 'Reset a sender who forgot a PIN or is locked',
  description: 'Removes the sender’s own PIN, if there is one, and its wrong attempts and lock.',
  credential: 'admin',
  scope: 'pins:delete',
  params: params({ customer_id: Uuid, identity_id: Uuid }),
  responses: { 204: null },
});

export const getMyPin = operation({
  id: 'get_my_pin',
  method: 'GET',
  path: '/v1/me/pin',
  tag,
  summary: 'The PIN of the customer that has the signed-in user’s e-mail address',
  description: 'Without such a customer, `has_pin` is false.',
  credential: 'user',
  scope: null,
  responses: { 200: PinStatus },
});
