import { NamedObject } from '../platform/contract/named.ts';
import { operation } from '../platform/contract/operation.ts';
import { about, Clearable, InstanceParams, Text, Uuid } from '../platform/contract/shapes.ts';

export const writeInPlayground = operation({
  id: 'write_in_playground',
  method: 'POST',
  path: '/v1/instances/{instance_id}/playground',
  tag: 'Conversations',
  summary: 'Write to an agent without a phone',
  description:
    'The way is that of a real message but for the channel: answers count as delivered at once. Without a conversation a new one begins.',
  credential: 'tenant',
  scope: 'instances:write',
  mcp: {
    brief: true,
    says: 'Write to an agent as from a phone; list_messages of the conversation has its answer a moment later.',
  },
  params: InstanceParams,
  body: NamedObject('PlaygroundMessage', {
    text: about(Clearable(Text(4096, 1)), 'What is written to the agent; may be left out with reply_id'),
    reply_id: about(
      Clearable(Text(256, 1)),
      'A tap on the button or option with this id, of one of the last 20 messages; its title is the text',
    ),
    conversation_id: about(Clearable(Uuid), 'Goes on with a conversation of the playground'),
    identity_id: about(Clearable(Uuid), 'Who writes; on a shared instance it tells the customer'),
  }),
  responses: { 202: NamedObject('PlaygroundAccepted', { conversation_id: Uuid, message_id: Uuid }) },
});
