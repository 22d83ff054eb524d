import Type from 'typebox';
import { CustomerName } from '../customers/customer-names.contract.ts';
import { NamedObject } from '../platform/contract/named.ts';
import { operation } from '../platform/contract/operation.ts';
import {
  about,
  Clearable,
  CustomerParams,
  InstanceParams,
  Nullable,
  OpenObject,
  PageOf,
  PageQuery,
  params,
  query,
  Text,
  Timestamp,
  Uuid,
} from '../platform/contract/shapes.ts';
import { ofSender } from './senders.contract.ts';

const tag = 'Identities';

const Channel = about(Text(50, 1), 'The channel, as chatapp');
const ExternalId = about(Text(255, 1), 'The sender’s address there: a phone number, or the channel’s own id');

export const Identity = NamedObject('Identity', {
  id: Uuid,
  tenant_id: Uuid,
  customer_id: Uuid,
  customer_name: CustomerName,
  channel: Type.String(),
  external_id: Type.String(),
  display_name: Nullable(Type.String()),
  role_override: Nullable(Type.String()),
  verified: Type.Boolean(),
  attributes: about(
    OpenObject,
    'Replies to onboarding steps, by the name that each is kept as: 4,096 characters of each, and the newest up to 32 KiB together',
  ),
  created_at: Timestamp,
  updated_at: Timestamp,
});

export const IdentityCreate = NamedObject('IdentityCreate', {
  channel: Channel,
  external_id: ExternalId,
  display_name: about(Clearable(Text(200)), 'What the sender is called'),
  role_override: about(
    Clearable(Text(100)),
    'What the sender is to the customer; `owner` is one to the PIN policy’s pin_applies_to',
  ),
  verified: about(Clearable(Type.Boolean()), 'Whether you know that the address is the sender’s'),
});

export const IdentityUpdate = NamedObject('IdentityUpdate', {
  ...IdentityCreate.properties,
  channel: Type.Optional(Channel),
  external_id: Type.Optional(ExternalId),
});

export const IdentityLookupResult = NamedObject('IdentityLookupResult', {
  channel: Type.String(),
  external_id: Type.String(),
  identity_id: Uuid,
  customer_id: Uuid,
  customer_email: Nullable(Type.String()),
  display_name: Nullable(Type.String()),
  role_override: Nullable(Type.String()),
  verified: Type.Boolean(),
});

export const listIdentities = operation({
  id: 'list_identities',
  method: 'GET',
  path: '/v1/customers/{customer_id}/identities',
  tag,
  summary: 'List a customer’s channel identities',
  description:
    'external_id also finds the identity that it is an alias of, and a phone number with its plus or without.',
  credential: 'admin',
  scope: 'identities:read',
  params: CustomerParams,
  query: query({
    ...PageQuery,
    channel: Type.Optional(Type.String()),
    external_id: Type.Optional(Type.String()),
  }),
  responses: { 200: PageOf(Identity) },
});

export const createIdentity = operation({
  id: 'create_identity',
  method: 'POST',
  path: '/v1/customers/{customer_id}/identities',
  tag,
  summary: 'Add a channel identity',
  description: 'Agents know the sender by it. 409 where the customer has the address already.',
  credential: 'admin',
  scope: 'identities:write',
  params: CustomerParams,
  body: IdentityCreate,
  responses: { 201: Identity },
  failures: [409],
});

export const updateIdentity = operation({
  id: 'update_identity',
  method: 'PATCH',
  path: '/v1/customers/{customer_id}/identities/{identity_id}',
  tag,
  summary: 'Change a channel identity',
  description: 'With another address, the aliases of the former one are forgotten.',
  credential: 'admin',
  scope: 'identities:write',
  params: params({ customer_id: Uuid, identity_id: Uuid }),
  body: IdentityUpdate,
  responses: { 200: Identity },
  failures: [409],
});

export const deleteIdentity = operation({
  id: 'delete_identity',
  method: 'DELETE',
  path: '/v1/customers/{customer_id}/identities/{identity_id}',
  tag,
  summary: 'Remove a channel identity',
  description: 'The address is a stranger’s from then on. Its PIN goes with it.',
  credential: 'admin',
  scope: 'identities:delete',
  params: params({ customer_id: Uuid, identity_id: Uuid }),
  responses: { 204: null },
});

export const lookUpIdentity = operation({
  id: 'look_up_identity',
  method: 'GET',
  path: '/internal/v1/instances/{instance_id}/lookup/identity',
  tag,
  summary: 'Find which of the instance’s customers a channel address belongs to',
  description:
    'An alias, which the channel used for the same sender, finds the identity too; external_id is the identity’s own.',
  credential: 'instance',
  scope: null,
  params: InstanceParams,
  query: query({ channel: Type.String(), external_id: Type.String() }),
  ...ofSender({
    address: { place: 'query', channel: 'channel', external_id: 'external_id', of: 'Identity' },
  }),
  responses: { 200: IdentityLookupResult },
});
