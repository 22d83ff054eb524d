import Type, { type Static } from 'typebox';
import { BOUNDS } from '../catalogue/bounds.contract.ts';
import { ofSender } from '../identities/senders.contract.ts';
import { NamedObject, named } from '../platform/contract/named.ts';
import { operation } from '../platform/contract/operation.ts';
import {
  about,
  Clearable,
  InstanceParams,
  Int,
  Literals,
  Name,
  Nullable,
  OpenElement,
  params,
  Text,
  Timestamp,
  Uuid,
  within,
} from '../platform/contract/shapes.ts';
import { choicesShown, richBody } from './rich-answers.contract.ts';

const tag = 'Conversations';

const AUTHORS = ['sender', 'agent', 'person', 'system'] as const;
export const MessageAuthor = named('MessageAuthor', Literals(AUTHORS));
export type MessageAuthor = (typeof AUTHORS)[number];

const IN_STATUSES = ['pending', 'handled', 'dead'] as const;
const OUT_STATUSES = ['queued', 'sent', 'delivered', 'read', 'failed'] as const;
export const MessageStatus = named('MessageStatus', Literals([...IN_STATUSES, ...OUT_STATUSES]));
export type MessageStatus = (typeof IN_STATUSES)[number] | (typeof OUT_STATUSES)[number];

export const Media = NamedObject('Media', {
  id: Type.String(),
  mime_type: Nullable(Type.String()),
  size: Nullable(Type.Integer({ description: 'Bytes, where the channel tells' })),
  filename: Type.Optional(Type.String()),
});
export type Media = Static<typeof Media>;

/** The message that another one answers or reacts to. Where it is not kept, only a text that is null. */
export const Quoted = NamedObject('QuotedMessage', {
  text: about(Nullable(Type.String()), 'null where it has none or is not kept'),
  author: Type.Optional(MessageAuthor),
  at: Type.Optional(Timestamp),
});
export type Quoted = Static<typeof Quoted>;

export const Referral = NamedObject('MessageReferral', {
  headline: about(Nullable(Type.String()), 'Of the ad or post from which the sender came'),
  body: about(Nullable(Type.String()), 'Of the ad or post'),
  source_id: about(Nullable(Type.String()), 'The channel’s id of the ad or post'),
  product_id: about(Nullable(Type.String()), 'The product of the catalogue that the sender asks about'),
});
export type Referral = Static<typeof Referral>;

export const Reaction = NamedObject('MessageReaction', {
  emoji: about(Nullable(Type.String()), 'null: the sender has taken it back'),
});
export type Reaction = Static<typeof Reaction>;

/** Tokens of an answer, as its runtime counted them. */
const Usage = NamedObject('MessageUsage', {
  model: Type.Optional(Text(200)),
  input_tokens: Type.Optional(Int({ minimum: 0 })),
  cached_input_tokens: Type.Optional(Int({ minimum: 0 })),
  output_tokens: Type.Optional(Int({ minimum: 0 })),
});
export type Usage = Static<typeof Usage>;

const { tool_calls, tool_calls_bytes, text_bytes } = BOUNDS.message;
const ToolCalls = Type.Array(OpenElement, { maxItems: tool_calls });

const MessageUser = NamedObject('MessageUser', {
  id: Uuid,
  name: about(Nullable(Type.String()), 'The e-mail address; null once erased'),
});
const MessageKey = NamedObject('MessageKey', {
  id: Uuid,
  name: about(Nullable(Type.String()), 'The key’s name; null once erased'),
});

export const Message = NamedObject('Message', {
  id: Uuid,
  change: about(
    Type.Integer(),
    'Grows with each change of a message, of its status too: the stream’s event id, so the greatest one of a page follows it',
  ),
  conversation_id: Uuid,
  direction: Literals(['in', 'out']),
  author: MessageAuthor,
  user_id: about(Nullable(Uuid), 'The user who wrote it, where a person did'),
  user: about(Nullable(MessageUser), 'That user; of a takeover whoever has the conversation then'),
  key: about(Nullable(MessageKey), 'The API key in the place of a user'),
  kind: about(
    Type.String(),
    'text, image, audio, edit, template, handover (why the agent handed over), takeover (who has it from then on), …',
  ),
  text: about(Nullable(Type.String()), 'null where there is none, or once it was erased'),
  media: Type.Array(Media),
  ...choicesShown,
  quoted: about(Nullable(Quoted), 'The message that it answers or reacts to'),
  referral: about(Nullable(Referral), 'The ad, post or product that it comes from'),
  reaction: Nullable(Reaction),
  said_by: about(Nullable(Type.String()), 'In a group: the name or address of the member who wrote it'),
  status: MessageStatus,
  error: about(Nullable(Type.String()), 'Why it waits or failed'),
  at: about(Timestamp, 'When it was written'),
  usage: Nullable(Usage),
  tool_calls: ToolCalls,
});

const Template = NamedObject('MessageTemplate', {
  name: Name,
  language: Text(20, 1),
  parameters: Clearable(Type.Array(Text(1024), { maxItems: 50 })),
});
export type GivenTemplate = Static<typeof Template>;
export interface Template extends GivenTemplate {
  parameters: string[];
}

const IdempotencyKey = about(Clearable(Text(200, 1)), 'The same key again returns the message that there is');
const MessageText = within(text_bytes, Type.String({ minLength: 1 }));

export const sendMessage = operation({
  id: 'send_message',
  method: 'POST',
  path: '/v1/conversations/{conversation_id}/messages',
  tag,
  summary: 'Answer a sender as a person',
  description:
    'Either `text` with or without `buttons`, `options` or `media`, or `media` alone, or a `template` that the channel has approved. The mode has to be `human`, and free text ends at `reply_until` (409).',
  credential: 'tenant',
  scope: 'conversations:write',
  params: params({ conversation_id: Uuid }),
  body: NamedObject('MessageCreate', {
    text: Clearable(MessageText),
    template: Clearable(Template),
    ...richBody,
    idempotency_key: IdempotencyKey,
  }),
  responses: { 202: Message },
  failures: [409],
});

const RuntimeConversationParams = params({ ...InstanceParams.properties, conversation_id: Uuid });

export const answerMessage = operation({
  id: 'answer_message',
  isUnlimited: true,
  method: 'POST',
  path: '/internal/v1/instances/{instance_id}/conversations/{conversation_id}/messages',
  tag,
  summary: 'Answer a sender as the agent',
  description:
    'Without an idempotency_key, in_reply_to is the key: the first answer to a message stands. 409 while a person has the conversation; that is final.',
  credential: 'instance',
  scope: null,
  params: RuntimeConversationParams,
  ...ofSender({ conversation_id: 'params', mayLackToken: { whileNull: 'in_reply_to' } }),
  body: NamedObject('AnswerCreate', {
    text: Clearable(MessageText),
    ...richBody,
    in_reply_to: about(
      Clearable(Text(256, 1)),
      'One of the message_ids that were forwarded; null for something that nobody asked',
    ),
    idempotency_key: IdempotencyKey,
    usage: Clearable(Usage),
    error: about(
      Clearable(Text(1000)),
      'Why a model had no part in the answer, for the people who run the agent; shown as the message’s `error`',
    ),
    tool_calls: Clearable(within(tool_calls_bytes, ToolCalls)),
  }),
  responses: { 200: Message, 202: Message },
  failures: [409],
});

export const handOverToPerson = operation({
  id: 'hand_over_conversation',
  method: 'POST',
  path: '/internal/v1/instances/{instance_id}/conversations/{conversation_id}/handover',
  tag,
  summary: 'Hand a conversation over to a person',
  description:
    'The mode `human` ends 24 hours after a person’s last message, or after the handover. The reason stands in the conversation as a message of the kind `handover`, for people alone.',
  credential: 'instance',
  scope: null,
  params: RuntimeConversationParams,
  ...ofSender({ conversation_id: 'params' }),
  body: NamedObject('Handover', {
    reason: about(
      Clearable(Text(1000)),
      'What the person should know; neither the sender nor the agent reads it',
    ),
  }),
  responses: {
    200: NamedObject('HandedOver', {
      conversation_id: Uuid,
      mode: Type.String(),
      human_until: Nullable(Timestamp),
    }),
  },
});
