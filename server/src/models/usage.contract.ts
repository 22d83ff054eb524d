import Type from 'typebox';
import { CustomerName } from '../customers/customer-names.contract.ts';
import { NamedObject } from '../platform/contract/named.ts';
import { operation } from '../platform/contract/operation.ts';
import { about, Day, Nullable, query, Uuid } from '../platform/contract/shapes.ts';
import { RecipeName } from '../recipes/recipe-names.contract.ts';

export const GROUPS = ['day', 'customer', 'instance', 'model', 'recipe'] as const;
export type Group = (typeof GROUPS)[number];
/** An answer has at most so many items. */
export const MOST_USAGE_ROWS = 10_000;
const group = `(?:${GROUPS.join('|')})`;

const sums = {
  calls: about(Type.Integer(), 'How many calls there were'),
  input_tokens: Type.Integer(),
  cached_input_tokens: Type.Integer(),
  output_tokens: Type.Integer(),
  unpriced_calls: about(Type.Integer(), 'Calls of models without a price, which `cost` leaves out'),
  estimated_calls: about(Type.Integer(), 'Calls whose tokens were estimated, because the provider said none'),
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
  customer_name: Type.Optional(CustomerName),
  instance_id: about(Type.Optional(Nullable(Uuid)), 'The instance; null for drafts of recipes'),
  hostname: about(Type.Optional(Nullable(Type.String())), 'Of the instance'),
  model: about(Type.Optional(Type.String()), 'The model that answered'),
  recipe_id: about(Type.Optional(Nullable(Uuid)), 'The recipe'),
  recipe_name: Type.Optional(RecipeName),
  ...sums,
});

export const getUsage = operation({
  id: 'get_usage',
  method: 'GET',
  path: '/v1/usage',
  tag: 'Models',
  summary: 'What language models were used for, and what they cost',
  description:
    'Sums of the calls of models by what `group_by` names. Days are UTC. An answer has at most 10,000 items. Single calls are kept for 90 days and daily sums for two years.',
  credential: 'tenant',
  scope: 'usage:read',
  query: query({
    from: about(Type.Optional(Day), 'The first day; by default of this month'),
    to: about(Type.Optional(Day), 'The last day, which is included; by default of this month'),
    group_by: about(
      Type.Optional(Type.String({ pattern: `^${group}(?:,${group})*$` })),
      'One or several of day, customer, instance, model and recipe, with commas between them; by default day',
    ),
    customer_id: about(Type.Optional(Uuid), 'Only calls for this customer'),
    instance_id: about(Type.Optional(Uuid), 'Only calls of this instance'),
    conversation_id: about(Type.Optional(Uuid), 'Only calls in this conversation; daily sums are of none'),
  }),
  responses: {
    200: NamedObject('Usage', {
      items: Type.Array(UsageItem, { maxItems: MOST_USAGE_ROWS }),
      truncated: about(
        Type.Boolean(),
        'true: there are more items, of which `total` has the sums; fewer days or groups show all of them',
      ),
      total: UsageTotal,
    }),
  },
});
