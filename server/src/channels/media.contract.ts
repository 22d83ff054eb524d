import Type from 'typebox';
import { ofSender } from '../identities/senders.contract.ts';
import { operation } from '../platform/contract/operation.ts';
import { about, InstanceParams, params, Text, Uuid } from '../platform/contract/shapes.ts';

const MediaId = about(Text(256, 1), 'The id of an element of a message’s `media`');

const common = {
  method: 'GET',
  tag: 'Conversations',
  description:
    'The content as the channel has it, of at most 25 MiB, with its own Content-Type and as an attachment. 404 once the message’s content was erased.',
  load: 'drive_file',
  responses: { 200: Type.String({ contentMediaType: 'application/octet-stream' }) },
  produces: ['*/*'],
  failures: [413, 429, 502],
} as const;

export const getConversationMedia = operation({
  ...common,
  id: 'get_conversation_media',
  path: '/v1/conversations/{conversation_id}/media/{media_id}',
  summary: 'What a sender attached to a message',
  credential: 'tenant',
  scope: 'conversations:read',
  params: params({ conversation_id: Uuid, media_id: MediaId }),
});

export const getInstanceMedia = operation({
  ...common,
  id: 'get_instance_media',
  path: '/internal/v1/instances/{instance_id}/media/{media_id}',
  summary: 'What a sender attached to a message of an instance',
  credential: 'instance',
  scope: null,
  params: params({ ...InstanceParams.properties, media_id: MediaId }),
  // The handler searches only the sender's conversation.
  ...ofSender({}),
});
