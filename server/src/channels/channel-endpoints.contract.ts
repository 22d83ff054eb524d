import Type from 'typebox';
import { CustomerName } from '../customers/customer-names.contract.ts';
import { NamedObject, named } from '../platform/contract/named.ts';
import { operation } from '../platform/contract/operation.ts';
import {
  about,
  Clearable,
  Literals,
  Nullable,
  PageOf,
  PageQuery,
  params,
  query,
  Search,
  secret,
  Text,
  Timestamp,
  Uuid,
} from '../platform/contract/shapes.ts';

/** `chatapp`, because the specification (section 4.9) forbids the name of the brand. */
const CHANNELS = ['chatapp'] as const;
export type Channel = (typeof CHANNELS)[number];

export const Channel = named('Channel', Literals(CHANNELS));

const tag = 'Channels';

export const ChannelEndpoint = NamedObject('ChannelEndpoint', {
  id: Uuid,
  tenant_id: Uuid,
  channel: Channel,
  phone_number_id: Type.String(),
  instance_id: Uuid,
  hostname: about(Nullable(Type.String()), 'The instance’s hostname'),
  customer_id: about(Nullable(Uuid), 'Whose number it is, where the instance is shared'),
  customer_name: CustomerName,
  connection_name: about(Nullable(Type.String()), 'The connection that answers are sent with'),
  verified_at: about(
    Nullable(Timestamp),
    'When the channel last showed the verify token, or a signature by the app secret; to the minute',
  ),
  last_received_at: about(Nullable(Timestamp), 'When the last message came; to the second'),
  webhook_url: about(Type.String(), 'The address for the channel’s console'),
  created_at: Timestamp,
  updated_at: Timestamp,
});

const ChannelEndpointSaved = NamedObject('ChannelEndpointSaved', {
  ...ChannelEndpoint.properties,
  warnings: about(
    Type.Optional(Type.Array(Type.String())),
    'Fields that were taken although they are weak: secrets shorter than 16 characters can be guessed',
  ),
});

const settings = {
  phone_number_id: about(Text(100, 1), 'The channel’s id of the number, not the number itself'),
  instance_id: about(Uuid, 'The instance that answers'),
  verify_token: about(secret(Text(1000, 1)), 'A word of yours, which the channel’s console asks for'),
  app_secret: about(secret(Text(1000, 1)), 'What the channel signs its messages with'),
  customer_id: about(
    Clearable(Uuid),
    'A customer of the instance: who writes to the number writes to this customer. Required on a shared instance',
  ),
  connection_name: about(
    Clearable(Text(200, 1)),
    'The customer’s chatapp connection that answers are sent with; without, the oldest one that is active',
  ),
};

const EndpointParams = params({ endpoint_id: Uuid });

export const listChannelEndpoints = operation({
  id: 'list_channel_endpoints',
  method: 'GET',
  path: '/v1/channel-endpoints',
  tag,
  summary: 'List the numbers that messages are received for',
  description: 'Secrets of an endpoint are never returned.',
  credential: 'admin',
  scope: 'channels:read',
  mcp: {
    says: 'List the numbers that messages are received for.',
    shows: [
      'id',
      'channel',
      'phone_number_id',
      'instance_id',
      'hostname',
      'customer_id',
      'customer_name',
      'connection_name',
      'verified_at',
      'last_received_at',
      'created_at',
    ],
  },
  query: query({ ...PageQuery, search: Search('phone_number_id or connection_name') }),
  responses: { 200: PageOf(ChannelEndpoint) },
});

export const createChannelEndpoint = operation({
  id: 'create_channel_endpoint',
  method: 'POST',
  path: '/v1/channel-endpoints',
  tag,
  summary: 'Receive the messages of a number for an instance',
  description:
    'A number is registered once within the tenant; the signature of a message decides whose it is. The verify token and the app secret are never returned.',
  credential: 'admin',
  scope: 'channels:write',
  body: NamedObject('ChannelEndpointCreate', { channel: Channel, ...settings }),
  responses: { 201: ChannelEndpointSaved },
  failures: [404, 409],
});

export const updateChannelEndpoint = operation({
  id: 'update_channel_endpoint',
  method: 'PATCH',
  path: '/v1/channel-endpoints/{endpoint_id}',
  tag,
  summary: 'Change a number, its instance or its secrets',
  description: 'Messages that are not delivered yet follow the endpoint to its new instance.',
  credential: 'admin',
  scope: 'channels:write',
  params: EndpointParams,
  body: named('ChannelEndpointUpdate', Type.Partial(Type.Object(settings))),
  responses: { 200: ChannelEndpointSaved },
  failures: [409],
});

export const deleteChannelEndpoint = operation({
  id: 'delete_channel_endpoint',
  method: 'DELETE',
  path: '/v1/channel-endpoints/{endpoint_id}',
  tag,
  summary: 'Receive no more messages for a number, and drop the ones that came',
  description: 'The channel’s webhook for the number is answered as for an unknown one from then on.',
  credential: 'admin',
  scope: 'channels:delete',
  params: EndpointParams,
  responses: { 204: null },
});
