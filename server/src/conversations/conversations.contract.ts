import Type from 'typebox';
import { NamedObject, named } from '../platform/contract/named.ts';
import { operation } from '../platform/contract/operation.ts';
import {
  about,
  Int,
  Literals,
  Nullable,
  OpenObject,
  PageQuery,
  params,
  query,
  Timestamp,
  Uuid,
} from '../platform/contract/shapes.ts';
import { Message, MessageAuthor } from './messages.contract.ts';

const tag = 'Conversations';

export const ConversationMode = named('ConversationMode', Literals(['agent', 'human']));

export const Conversation = NamedObject('Conversation', {
  id: Uuid,
  instance_id: Uuid,
  customer_id: Uuid,
  channel: Type.String(),
  kind: about(Literals(['direct', 'group']), 'A group is read and answered by people alone'),
  external_id: about(
    Type.String(),
    'The address with which it began: the user id where both came first; of a group its id',
  ),
  addresses: about(
    Type.Array(Type.String()),
    'Each phone number and user id that the channel told for the sender',
  ),
  identity_id: about(Nullable(Uuid), 'null where the sender is not known to the customer'),
  person_id: about(Nullable(Uuid), 'The member of the staff whose verified address it is'),
  display_name: Nullable(Type.String()),
  mode: ConversationMode,
  human_until: about(Nullable(Timestamp), 'When the mode `human` ends by itself'),
  taken_by: about(
    Nullable(
      NamedObject('ConversationTaker', {
        kind: about(Literals(['channel']), 'channel: a colleague who writes on the phone of the number'),
        id: Nullable(Uuid),
        name: Nullable(Type.String()),
      }),
    ),
    'By whom the mode `human` began, as far as that is known',
  ),
  unanswered: about(Type.Integer(), 'Incoming messages since the last answer'),
  attributes: about(OpenObject, 'Replies that were kept under a name'),
  last_message: Nullable(
    Type.Object({ author: MessageAuthor, text: Nullable(Type.String()), at: Timestamp }),
  ),
  last_message_at: Timestamp,
  created_at: Timestamp,
});

const ConversationParams = params({ conversation_id: about(Uuid, 'The conversation’s id') });

/** A place in the list, or a conversation that stands for its place. */
const Before = Type.String({
  pattern: '^([0-9]{1,16}_)?[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
});

const ConversationPage = NamedObject('ConversationPage', {
  items: Type.Array(Conversation),
  page: Type.Integer(),
  per_page: Type.Integer(),
  total: Type.Integer(),
  next_before: about(Nullable(Type.String()), '`before` of the next page; null when nothing is further back'),
});

export const listConversations = operation({
  id: 'list_conversations',
  method: 'GET',
  path: '/v1/conversations',
  tag,
  summary: 'List conversations, the latest message first',
  description:
    'Filters narrow the list together. Messages have a list of their own. While it is read, conversations move to the front: `before`, unlike `page`, shows none twice and leaves out none that stays.',
  credential: 'tenant',
  scope: 'conversations:read',
  query: query({
    ...PageQuery,
    before: about(
      Type.Optional(Before),
      '`next_before` of the page before, or a conversation’s id: only what is further back',
    ),
    instance_id: Type.Optional(Uuid),
    customer_id: Type.Optional(Uuid),
    mode: Type.Optional(ConversationMode),
    channel: Type.Optional(Type.String()),
    unanswered: about(Type.Optional(Type.Boolean()), 'true: only those with a message that nobody answered'),
  }),
  responses: { 200: ConversationPage },
});

export const getConversation = operation({
  id: 'get_conversation',
  method: 'GET',
  path: '/v1/conversations/{conversation_id}',
  tag,
  summary: 'Get a conversation',
  description: 'With its mode: whether the agent or a person answers.',
  credential: 'tenant',
  scope: 'conversations:read',
  params: ConversationParams,
  responses: { 200: Conversation },
});

export const updateConversation = operation({
  id: 'update_conversation',
  method: 'PATCH',
  path: '/v1/conversations/{conversation_id}',
  tag,
  summary: 'Take a conversation over, or give it back to the agent',
  description:
    'While the mode is `human` nothing is forwarded to the agent. After the switch back the agent gets the messages that nobody answered, as one.',
  credential: 'tenant',
  scope: 'conversations:write',
  params: ConversationParams,
  body: NamedObject('ConversationUpdate', {
    mode: ConversationMode,
    minutes: about(
      Type.Optional(Nullable(Int({ minimum: 1, maximum: 525_600 }))),
      'After so many minutes the mode `human` ends by itself; without, when a person ends it',
    ),
  }),
  responses: { 200: Conversation },
});

export const deleteConversation = operation({
  id: 'delete_conversation',
  method: 'DELETE',
  path: '/v1/conversations/{conversation_id}',
  tag,
  summary: 'Erase a conversation with all its messages',
  description: 'Queued answers are not sent any more, and waiting messages are dropped.',
  credential: 'tenant',
  scope: 'conversations:delete',
  params: ConversationParams,
  responses: { 204: null },
});

const MessagePage = NamedObject('MessagePage', {
  items: Type.Array(Message),
  next_before: about(Nullable(Uuid), '`before` of the page further back; null when nothing is further back'),
});

export const listMessages = operation({
  id: 'list_messages',
  method: 'GET',
  path: '/v1/conversations/{conversation_id}/messages',
  tag,
  summary: 'A conversation’s newest messages as JSON, or followed live with Accept: text/event-stream',
  description:
    'A page holds the newest messages, oldest first; `before` pages back. The stream’s events are messages, new or changed; it resumes after Last-Event-ID.',
  credential: 'tenant',
  scope: 'conversations:read',
  mcp: { says: 'A conversation’s newest messages, oldest first; `before` pages back.' },
  params: ConversationParams,
  query: query({
    before: about(Type.Optional(Uuid), 'Only messages before this one'),
    per_page: about(Int({ minimum: 1, maximum: 100, default: 50 }), 'Messages of a page'),
  }),
  responses: { 200: MessagePage },
  produces: ['application/json', 'text/event-stream'],
});
