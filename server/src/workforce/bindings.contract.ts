import Type from 'typebox';
import { NamedObject, named } from '../platform/contract/named.ts';
import { operation } from '../platform/contract/operation.ts';
import {
  about,
  Clearable,
  Literals,
  PageOf,
  PageQuery,
  params,
  query,
  Text,
  Timestamp,
  Uuid,
} from '../platform/contract/shapes.ts';
import { Names } from './names.contract.ts';
import { CustomerPersonParams } from './staff.contract.ts';

const tag = 'Staff';

const BINDING_STATES = ['unverified', 'verified', 'rejected'] as const;
export type BindingState = (typeof BINDING_STATES)[number];

export const BindingState = named('BindingState', Literals(BINDING_STATES));

/** Identifies a worker (specification, section 4.6). */
export const ChannelAddress = {
  channel_type: about(Text(50, 1), 'The channel, as chatapp'),
  channel_address: about(
    Text(255, 1),
    'The worker’s address there: a phone number, or the channel’s id of the sender',
  ),
};

const Binding = NamedObject('Binding', {
  id: Uuid,
  tenant_id: Uuid,
  customer_id: Uuid,
  person_id: Uuid,
  ...Names,
  channel_type: Type.String(),
  channel_address: Type.String(),
  state: BindingState,
  has_code: Type.Boolean(),
  created_at: Timestamp,
  updated_at: Timestamp,
});

/** codeHash trims, so a code needs another character than space. */
const Code = Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' });

const path = '/v1/customers/{customer_id}/staff/{person_id}/bindings';

export const listBindings = operation({
  id: 'list_bindings',
  method: 'GET',
  path,
  tag,
  summary: 'List the channel addresses of a person of the staff',
  description: 'A verified binding lets the person ask an agent about shifts and hours.',
  credential: 'admin',
  scope: 'staff:read',
  params: CustomerPersonParams,
  query: query(PageQuery),
  responses: { 200: PageOf(Binding) },
});

export const createBinding = operation({
  id: 'create_binding',
  method: 'POST',
  path,
  tag,
  summary: 'Bind a channel address to a person of the staff',
  description:
    'An address is bound to one person of a customer. Where its binding was rejected, it can be bound anew. The code is never shown again.',
  credential: 'admin',
  scope: 'staff:write',
  params: CustomerPersonParams,
  body: NamedObject('BindingCreate', {
    ...ChannelAddress,
    code: about(Clearable(Code), 'What the worker has to answer to be verified; without one, a yes does'),
  }),
  responses: { 201: Binding },
  failures: [409],
});

export const deleteBinding = operation({
  id: 'delete_binding',
  method: 'DELETE',
  path: `${path}/{binding_id}`,
  tag,
  summary: 'Remove a channel address from a person of the staff',
  description: 'Messages from the address are a stranger’s from then on.',
  credential: 'admin',
  scope: 'staff:delete',
  params: params({ ...CustomerPersonParams.properties, binding_id: Uuid }),
  responses: { 204: null },
});
