import Type, { type Static } from 'typebox';
import { CustomerName } from '../customers/customer-names.contract.ts';
import { NamedObject, named } from '../platform/contract/named.ts';
import { operation } from '../platform/contract/operation.ts';
import {
  about,
  Clearable,
  DayOrTime,
  Int,
  Literals,
  Nullable,
  OpenObject,
  PageQuery,
  params,
  query,
  Search,
  Timestamp,
  Uuid,
} from '../platform/contract/shapes.ts';
import { Message, MessageAuthor } from './messages.contract.ts';

const tag = 'Conversations';

export const ConversationMode = named('ConversationMode', Literals(['agent', 'human']));

const ConversationTaker = NamedObject('ConversationTaker', {
  kind: about(
    Literals(['user', 'key', 'channel']),
    'channel: a colleague who writes on the phone of the number',
  ),
  id: about(Nullable(Uuid), 'Of the user or the API key; null for channel'),
  name: about(
    Nullable(Type.String()),
    'The e-mail address of the user, the name of the key; null once erased',
  ),
});

export const Conversation = NamedObject('Conversation', {
  id: Uuid,
  instance_id: Uuid,
  hostname: about(Type.String(), 'The instance’s'),
  customer_id: Uuid,
  customer_name: CustomerName,
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
  person_name: about(Nullable(Type.String()), 'That person’s name'),
  display_name: about(
    Nullable(Type.String()),
    'As the channel tells it, else the identity’s, else the person’s name',
  ),
  mode: ConversationMode,
  human_since: about(Nullable(Timestamp), 'When the mode `human` began; null while the agent answers'),
  human_until: about(Nullable(Timestamp), 'When the mode `human` ends by itself'),
  taken_by: about(
    Nullable(ConversationTaker),
    'By whom it was taken over, or answered first; null after a handover that nobody has answered',
  ),
  handover_reason: about(Nullable(Type.String()), 'Why the agent handed over, as long as it is kept'),
  unanswered: about(Type.Integer(), 'Incoming messages since the last answer'),
  waiting_since: about(Nullable(Timestamp), 'When the oldest of them was written; null without one'),
  reply_until: about(
    Nullable(Timestamp),
    'Until then the channel takes free text, afterwards only templates; null in a channel without such an end',
  ),
  attributes: about(OpenObject, 'Replies that were kept under a name'),
  last_message: Nullable(
    Type.Object({ author: MessageAuthor, text: Nullable(Type.String()), at: Timestamp }),
  ),
  last_message_at: Timestamp,
  retention_until: about(Nullable(Timestamp), 'When the newest content is erased; null once nothing is kept'),
  created_at: Timestamp,
});

const ConversationParams = params({ conversation_id: about(Uuid, 'The conversation’s id') });

/** A place in the list, or a conversation that stands for its place. */
const Before = Type.String({
  pattern: '^([0-9]{1,16}_){0,2}[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
});

const ConversationPage = NamedObject('ConversationPage', {
  items: Type.Array(Conversation),
  page: Type.Integer(),
  per_page: Type.Integer(),
  total: Type.Integer(),
  next_before: about(Nullable(Type.String()), '`before` of the next page; null when nothing is further back'),
});

const CONVERSATION_SORTS = ['last_message_at', 'waiting_since'] as const;
export type ConversationSort = (typeof CONVERSATION_SORTS)[number];

const listQuery = query({
  ...PageQuery,
  before: about(
    Type.Optional(Before),
    '`next_before` of the page before, or a conversation’s id: only what is further back',
  ),
  sort_by: about(
    Literals(CONVERSATION_SORTS, { default: 'last_message_at' }),
    'last_message_at: the newest first; waiting_since: who waits longest first, then those that do not wait',
  ),
  search: Search('name of the sender, the identity or the person, or of an address'),
  instance_id: Type.Optional(Uuid),
  customer_id: Type.Optional(Uuid),
  mode: Type.Optional(ConversationMode),
  channel: Type.Optional(Type.String()),
  unanswered: about(Type.Optional(Type.Boolean()), 'true: only those with a message that nobody answered'),
  failed: about(Type.Optional(Type.Boolean()), 'true: only those whose newest outgoing message failed'),
  from: about(Type.Optional(DayOrTime), 'Only with a last message since then: a day (UTC) or a time'),
  to: about(Type.Optional(DayOrTime), 'Only with a last message until then: a day or a time, included'),
});
export type ConversationQuery = Static<typeof listQuery>;

export const listConversations = operation({
  id: 'list_conversations',
  method: 'GET',
  path: '/v1/conversations',
  tag,
  summary: 'List conversations, the latest message or the longest wait first',
  description:
    'Filters narrow the list together. Messages have a list of their own. While it is read, conversations move to the front: `before`, unlike `page`, shows none twice and leaves out none that stays.',
  credential: 'tenant',
  scope: 'conversations:read',
  query: listQuery,
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
    'While the mode is `human` nothing is forwarded to the agent. After the switch back the agent gets the messages that nobody answered, as one. Each change of `taken_by` stands in the conversation as a message of the kind `takeover`, which is not sent.',
  credential: 'tenant',
  scope: 'conversations:write',
  params: ConversationParams,
  body: NamedObject('ConversationUpdate', {
    mode: ConversationMode,
    minutes: about(
      Type.Optional(Nullable(Int({ minimum: 1, maximum: 525_600 }))),
      'After so many minutes the mode `human` ends by itself; without, when a person ends it',
    ),
    expect_taken_by: about(
      Clearable(Uuid),
      'Of a takeover: the id in `taken_by` as it was seen, null for none; 412 if it is another one by now',
    ),
  }),
  responses: { 200: Conversation },
  failures: [412],
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
