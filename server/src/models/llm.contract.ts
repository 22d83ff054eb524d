import Type from 'typebox';
import { BOUNDS } from '../catalogue/bounds.contract.ts';
import { SenderTokenHeader } from '../identities/senders.contract.ts';
import { NamedObject } from '../platform/contract/named.ts';
import { operation } from '../platform/contract/operation.ts';
import {
  about,
  InstanceParams,
  Nullable,
  OpenElement,
  OpenObject,
  query,
  Text,
  Uuid,
} from '../platform/contract/shapes.ts';

const tag = 'Models';

const OfCustomer = query({
  customer_id: about(
    Type.Optional(Uuid),
    'Whom the call is for; required on a shared instance without X-Sender-Token',
  ),
});

const Headers = Type.Object({
  ...SenderTokenHeader.properties,
  'x-conversation-id': about(
    Type.Optional(Type.String()),
    'The conversation that the call is for: one of this instance and sender (404 otherwise). Without it, the sender’s',
  ),
});

const LlmFailure = NamedObject('LlmFailure', {
  detail: Type.String(),
  error: about(
    OpenObject,
    'As OpenAI’s API says it: message, type, param, code; with the provider’s status and words',
  ),
});

const common = { tag, credential: 'instance', scope: null, params: InstanceParams } as const;
const refused = { 401: LlmFailure, 403: LlmFailure, 404: LlmFailure, 429: LlmFailure } as const;

export const completeChat = operation({
  ...common,
  id: 'complete_chat',
  method: 'POST',
  path: '/internal/v1/instances/{instance_id}/llm/chat/completions',
  summary: 'Let a model answer',
  description:
    'OpenAI’s chat completions, also with `stream`. Listed fields are passed on (docs/models.md), others are left out and named in X-Acp-Ignored; one that would choose a model, a route, a plugin, a key, an address, storage or priority is 400. The model is that of the instance’s model_policy, unless its allowed_models contain the one that the request names; its fallbacks are tried while nothing has reached the caller (docs/models.md). Whatever the provider’s dialect, the answer has one shape: reasoning in reasoning_content, all tokens in the usage. 429 `insufficient_quota` where a budget is spent, and 429 beyond 8 calls at once. Also opened by LLM_API_KEY.',
  takesLlmKey: true,
  openAiErrors: true,
  maxBodyMiB: 8,
  load: 'model_call',
  changesNothing: true,
  query: OfCustomer,
  sender: { customer_id: 'query' },
  headers: Headers,
  body: NamedObject('ChatCompletionRequest', {
    model: about(Type.Optional(Nullable(Text(300))), 'Used only if the policy allows it'),
    messages: about(
      Type.Array(OpenElement, { minItems: 1, maxItems: BOUNDS.completion.messages }),
      'The conversation, in OpenAI’s shape',
    ),
    stream: about(Type.Optional(Nullable(Type.Boolean())), 'Answer with server-sent events'),
  }),
  responses: { 200: OpenObject },
  answersWith: ['AcpIgnored'],
  produces: ['application/json', 'text/event-stream'],
  failures: [400, 403, 404, 413, 429, 500, 502, 503],
  failureShapes: {
    ...refused,
    400: LlmFailure,
    413: LlmFailure,
    500: LlmFailure,
    502: LlmFailure,
    503: LlmFailure,
  },
});

export const listInstanceModels = operation({
  ...common,
  id: 'list_instance_models',
  method: 'GET',
  path: '/internal/v1/instances/{instance_id}/llm/models',
  summary: 'The models that an instance may use',
  description:
    'In OpenAI’s shape: the one that answers, its fallbacks, and those that a request may name. Also opened by LLM_API_KEY.',
  takesLlmKey: true,
  openAiErrors: true,
  query: OfCustomer,
  sender: { customer_id: 'query', mayLackToken: true },
  headers: Headers,
  failureShapes: refused,
  responses: {
    200: NamedObject('InstanceModels', {
      object: about(Type.String(), 'list'),
      data: about(
        Type.Array(
          NamedObject('InstanceModel', {
            id: about(Type.String(), 'The model’s name'),
            object: about(Type.String(), 'model'),
            created: about(Type.Integer(), '0'),
            owned_by: about(Type.String(), 'Always this service'),
            capabilities: about(
              Type.Array(Type.String()),
              'As the catalogue has them: a runtime may show pictures to a model with `vision`',
            ),
          }),
        ),
        'The models',
      ),
    }),
  },
});
