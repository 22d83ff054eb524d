import Type from 'typebox';
import { NamedObject } from '../platform/contract/named.ts';
import { operation } from '../platform/contract/operation.ts';
import { about, OpenElement, OpenObject, Text } from '../platform/contract/shapes.ts';

const AiDraft = NamedObject('AiDraft', {
  name: Type.String({ maxLength: 200 }),
  description: Type.String(),
  system_prompt: Type.String(),
  skills: Type.Array(Type.String()),
  channel_types: Type.Array(Type.String()),
  connection_requirements: Type.Array(OpenElement),
  model_policy: OpenObject,
});

export const assistRecipe = operation({
  id: 'assist_recipe',
  method: 'POST',
  path: '/v1/recipes/ai-assist',
  tag: 'Recipes',
  summary: 'Draft a recipe from a description',
  description:
    'A language model drafts; the draft names approved primitives alone, and nothing is kept but the usage, of no instance. It counts for the tenant’s `monthly_cost`: 429 without room, 403 for a model without a price. 503 where no model is configured, 502 where it does not answer within 30 seconds or not in shape.',
  credential: 'tenant',
  scope: 'recipes:write',
  mcp: {
    readOnly: true,
    openWorld: true,
    says: 'Draft a recipe from a description. A language model drafts, which may take 30 seconds; the draft names approved primitives alone, and nothing is kept: create_recipe makes a recipe of it.',
  },
  body: NamedObject('AiDraftRequest', {
    description: about(Text(2000, 10), 'What the agent is to do, in a person’s words'),
  }),
  responses: { 200: AiDraft },
  failures: [403, 502, 503],
});
