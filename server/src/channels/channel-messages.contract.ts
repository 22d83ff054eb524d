import Type from 'typebox';
import { NamedObject, named } from '../platform/contract/named.ts';
import { operation } from '../platform/contract/operation.ts';
import {
  about,
  Literals,
  Nullable,
  PageOf,
  PageQuery,
  params,
  query,
  Timestamp,
  Uuid,
} from '../platform/contract/shapes.ts';
import { Channel } from './channel-endpoints.contract.ts';

const MESSAGE_STATUSES = ['pending', 'delivered', 'dead'] as const;
export type MessageStatus = (typeof MESSAGE_STATUSES)[number];

const tag = 'Channels';
const Status = named('ChannelMessageStatus', Literals(MESSAGE_STATUSES));

/** Without text and sender's name, which belong to the customer. */
const ChannelMessage = NamedObject('ChannelMessage', {
  id: Uuid,
  channel: Channel,
  message_id: Type.String({ description: 'The channel’s own id' }),
  external_id: Type.String({ description: 'The sender' }),
  instance_id: Uuid,
  hostname: about(Nullable(Type.String()), 'The instance’s hostname'),
  endpoint_id: Uuid,
  conversation_id: Nullable(Uuid),
  status: Status,
  attempts: Type.Integer(),
  last_error: Nullable(Type.String()),
  received_at: Timestamp,
  finished_at: Nullable(Timestamp),
});

export const listChannelMessages = operation({
  id: 'list_channel_messages',
  method: 'GET',
  path: '/v1/channel-messages',
  tag,
  summary: 'List received messages, without what they say',
  description: 'Each says what became of it: waiting, delivered, or given up with its last error.',
  credential: 'admin',
  scope: 'channels:read',
  mcp: {},
  query: query({
    ...PageQuery,
    status: Type.Optional(Status),
    instance_id: about(Type.Optional(Uuid), 'Only those for this instance'),
    conversation_id: about(Type.Optional(Uuid), 'Only those of this conversation'),
  }),
  responses: { 200: PageOf(ChannelMessage) },
});

export const retryChannelMessage = operation({
  id: 'retry_channel_message',
  method: 'POST',
  path: '/v1/channel-messages/{channel_message_id}/retry',
  tag,
  summary: 'Forward a message that was given up, for another 24 hours',
  description: '409 unless it was given up.',
  credential: 'admin',
  scope: 'channels:write',
  mcp: { unlisted: true, openWorld: true },
  params: params({ channel_message_id: about(Uuid, 'The `id` of list_channel_messages') }),
  responses: { 202: ChannelMessage },
  failures: [409],
});
