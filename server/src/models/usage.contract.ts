import Type from 'typebox';
import { NamedObject } from '../platform/contract/named.ts';
import { operation } from '../platform/contract/operation.ts';
import { about, Day, Nullable, query, Uuid } from '../platform/contract/shapes.ts';

export const GROUPS = ['day', 'customer', 'instance', 'model', 'recipe'] as const;
export type Group = (typeof GROUPS)[number];
const group = `(?:${GROUPS.join('|')})`;

const sums = {
  calls: about(Type.Integer(), 'How many calls there were'),
  input_tokens: Type.Integer(),
  cached_input_tokens: Type.Integer(),
  output_tokens: Type.Integer(),
  audio_seconds: about(Type.Number(), 'Seconds of transcribed recordings'),
  cost: about(
    Nullable(Type.String()),
    'US dollars, decimal text, at the catalogue’s prices; null where no model has one, as at your own providers',
  ),
};

const UsageTotal = NamedObject('UsageTotal', sums);

const UsageItem = NamedObject('UsageItem', {
  day: about(Type.Optional(Day), 'The day, in UTC'),
  customer_id: about(Type.Optional(Nullable(Uuid)), 'The customer; null once it was erased'),
  instance_id: Type.Optional(Uuid),
  model: about(Type.Optional(Type.String()), 'The model that answered'),
  recipe_id: about(Type.Optional(Nullable(Uuid)), 'The recipe'),
  ...sums,
});

export const getUsage = operation({
  id: 'get_usage',
  method: 'GET',
  path: '/v1/usage',
  tag: 'Models',
  summary: 'What language models were used for, and what they cost',
  description:
    'Sums of the calls of models by what `group_by` names. Days are UTC. Single calls are kept for 90 days and daily sums for two years.',
  credential: 'tenant',
  scope: 'usage:read',
  query: query({
    from: about(Type.Optional(Day), 'The first day; by default of this month'),
    to: about(Type.Optional(Day), 'The last day, which is included; by default of this month'),
    group_by: about(
      Type.Optional(Type.String({ pattern: `^${group}(?:,${group})*$` })),
      'One or several of day, customer, instance, model and recipe, with commas between them; by default day',
    ),
  }),
  responses: { 200: NamedObject('Usage', { items: Type.Array(UsageItem), total: UsageTotal }) },
});
