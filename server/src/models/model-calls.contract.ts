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

const STATUSES = ['running', 'ok', 'failed', 'aborted'] as const;
export type ModelCallStatus = (typeof STATUSES)[number];

const Moment = (description: string) =>
  Type.Optional(Type.Unsafe<string>({ type: 'string', format: 'date-time', description }));

const ModelCall = NamedObject('ModelCall', {
  id: Uuid,
  at: about(Timestamp, 'When it began'),
  asked_model: about(Type.String(), 'The model that the recipe’s policy or the caller named'),
  model: about(Type.String(), 'The model that answered'),
  provider: about(Type.String(), 'The slug of the provider'),
  status: named('ModelCallStatus', Literals(STATUSES)),
  input_tokens: Type.Integer(),
  cached_input_tokens: Type.Integer(),
  output_tokens: Type.Integer(),
  audio_seconds: about(Type.Number(), 'Seconds of a transcribed recording'),
  estimated: about(Type.Boolean(), 'The provider told no tokens'),
  cost: about(
    Nullable(Type.String()),
    'US dollars, decimal text; null where the model has no price, and while it runs',
  ),
  latency_ms: about(Nullable(Type.Integer()), 'How long it took; null while it runs'),
});

export const listModelCalls = operation({
  id: 'list_model_calls',
  method: 'GET',
  path: '/v1/conversations/{conversation_id}/model-calls',
  tag: 'Models',
  summary: 'List the calls of models in a conversation, the newest first',
  description:
    'Kept for 90 days, then summed up by day. What a model was sent and what it said are not kept beside the conversation’s messages.',
  credential: 'tenant',
  scope: 'usage:read',
  params: params({ conversation_id: Uuid }),
  query: query({
    ...PageQuery,
    from: Moment('Only calls that began then or later'),
    to: Moment('Only calls that began before'),
  }),
  responses: { 200: PageOf(ModelCall) },
});
