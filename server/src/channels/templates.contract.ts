import Type from 'typebox';
import { NamedObject } from '../platform/contract/named.ts';
import { operation } from '../platform/contract/operation.ts';
import { about, Nullable, params, Uuid } from '../platform/contract/shapes.ts';

const ChannelTemplate = NamedObject('ChannelTemplate', {
  name: about(Type.String(), 'The `name` to send it with'),
  language: Type.String(),
  status: about(Type.String(), 'The channel’s word: it takes only APPROVED ones'),
  text: about(Nullable(Type.String()), 'The body, with its places: {{1}}, {{2}} and so on'),
  parameters: about(Type.Integer(), 'How many places the body has, in which `parameters` are put'),
});

export const listChannelTemplates = operation({
  id: 'list_channel_templates',
  method: 'GET',
  path: '/v1/channel-endpoints/{endpoint_id}/templates',
  tag: 'Channels',
  summary: 'List the templates of a number',
  description:
    'Asked of the channel now, with the connection that answers are sent with; at most 1,000. Once free text has ended (`reply_until`), only an approved template reaches the sender.',
  credential: 'tenant',
  scope: 'conversations:write',
  params: params({ endpoint_id: Uuid }),
  responses: {
    200: NamedObject('ChannelTemplateList', { items: Type.Array(ChannelTemplate) }),
  },
  failures: [502],
});
