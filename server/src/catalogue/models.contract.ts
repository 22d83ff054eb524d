import Type, { type Static } from 'typebox';
import { NamedObject, named } from '../platform/contract/named.ts';
import { operation } from '../platform/contract/operation.ts';
import {
  about,
  Clearable,
  Day,
  Int,
  Nullable,
  query,
  Search,
  Text,
  Uuid,
} from '../platform/contract/shapes.ts';

const tag = 'Models';

/** US dollars per million tokens, or per minute, as decimal text because a float would round. */
const Cost = Type.String({ pattern: '^\\d+(\\.\\d+)?$', maxLength: 40 });

export const Model = NamedObject('Model', {
  id: Uuid,
  model_id: Type.String(),
  slug: Type.String(),
  display_name: Type.String(),
  provider: Nullable(Type.String()),
  modality: Nullable(Type.String()),
  api_format: Nullable(Type.String()),
  capabilities: Type.Array(Type.String()),
  context_window: Nullable(Type.Integer()),
  max_output_tokens: Nullable(Type.Integer()),
  typical_tps: Nullable(Type.Integer()),
  speed_tier: Nullable(Type.String()),
  cost_input_per_mtok: Nullable(Cost),
  cost_cached_input_per_mtok: Nullable(Cost),
  cost_output_per_mtok: Nullable(Cost),
  cost_audio_per_minute: Nullable(Cost),
  is_active: Type.Boolean(),
  is_deprecated: Type.Boolean(),
});

export const ModelEntry = NamedObject('ModelEntry', {
  model_id: Text(200, 1),
  slug: Type.Optional(Text(200, 1)),
  display_name: Type.Optional(Text(200, 1)),
  provider: Clearable(Text(100)),
  modality: Clearable(Text(100)),
  api_format: Clearable(Text(100)),
  capabilities: Clearable(Type.Array(Text(100, 1), { maxItems: 100 })),
  context_window: Clearable(Int({ minimum: 1 })),
  max_output_tokens: Clearable(Int({ minimum: 1 })),
  typical_tps: Clearable(Int({ minimum: 1 })),
  speed_tier: Clearable(Text(100)),
  cost_input_per_mtok: Clearable(Cost),
  cost_cached_input_per_mtok: Clearable(Cost),
  cost_output_per_mtok: Clearable(Cost),
  cost_audio_per_minute: Clearable(Cost),
  is_active: Type.Optional(Type.Boolean()),
  is_deprecated: Type.Optional(Type.Boolean()),
  source: Clearable(Text(1000)),
  observed_on: Clearable(Day),
});
export type ModelEntry = Static<typeof ModelEntry>;

const entries = { type: 'array', items: ModelEntry, maxItems: 5000 };

/** One schema for both forms: JSON Schema ignores an object's keywords for an array and vice versa. */
const ModelsPut = named(
  'ModelsPut',
  Type.Unsafe<{ models: ModelEntry[] } | ModelEntry[]>({
    ...entries,
    type: ['object', 'array'],
    properties: { models: entries },
    required: ['models'],
  }),
);

export const listModels = operation({
  id: 'list_models',
  method: 'GET',
  path: '/v1/public/models',
  tag,
  summary: 'The model catalogue',
  description: 'The active models. Prices are US dollars per million tokens. Answers If-None-Match with 304.',
  credential: 'none',
  scope: null,
  mcp: {
    says: 'List the active models of the catalogue as summaries. Prices are US dollars per million tokens.',
    shows: [
      'model_id',
      'display_name',
      'provider',
      'modality',
      'context_window',
      'max_output_tokens',
      'cost_input_per_mtok',
      'cost_output_per_mtok',
      'is_deprecated',
    ],
  },
  query: query({
    search: Search('model_id, name or provider'),
    modality: about(Type.Optional(Text(100)), 'Only the models of this modality, as text'),
  }),
  responses: { 200: Type.Array(Model), 304: null },
});

export const putModels = operation({
  id: 'put_models',
  method: 'PUT',
  path: '/internal/v1/models',
  tag,
  summary: 'Make or change entries of the model catalogue',
  description:
    'An object with `models`, or the bare array. An entry that is there is changed in what is supplied; where its facts come from (`source`, `observed_on`) is told anew each time.',
  credential: 'operations',
  scope: null,
  body: ModelsPut,
  responses: { 200: NamedObject('ModelsPutResult', { upserted: Type.Integer() }) },
});
