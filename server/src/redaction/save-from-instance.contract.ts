import Type from 'typebox';
import { NamedObject } from '../platform/contract/named.ts';
import { operation } from '../platform/contract/operation.ts';
import { about, Clearable, InstanceParams, Literals, Name, Text } from '../platform/contract/shapes.ts';
import { Recipe } from '../recipes/recipes.contract.ts';

/** Contract, section 4. */
export const STRIPPED_KINDS = [
  'customer_id',
  'api_key',
  'phone_number',
  'email',
  'credential',
  'secret',
  'instance_id',
] as const;
export type StrippedKind = (typeof STRIPPED_KINDS)[number];

const StrippedValue = NamedObject('StrippedValue', {
  pointer: Type.String({ description: 'JSON pointer into the instance’s resolved configuration' }),
  kind: Literals(STRIPPED_KINDS),
});

export const saveFromInstance = operation({
  id: 'save_recipe_from_instance',
  method: 'POST',
  path: '/v1/recipes/save-from-instance/{instance_id}',
  tag: 'Recipes',
  summary: 'Make a recipe of an instance’s configuration',
  description:
    'Customer ids, keys, phone numbers, e-mail addresses, credentials, secrets and what names the instance are taken out, however deep or inside of texts; `stripped` tells where, never what. A recipe over the limits of create_recipe is refused.',
  credential: 'tenant',
  scope: 'recipes:write',
  load: 'configuration',
  mcp: { unlisted: true },
  params: InstanceParams,
  body: NamedObject('RecipeCaptureRequest', {
    name: about(Name, 'What the new recipe is called'),
    description: about(Clearable(Text(10_000)), 'What the new recipe is for'),
  }),
  responses: {
    201: NamedObject('CapturedRecipe', { ...Recipe.properties, stripped: Type.Array(StrippedValue) }),
  },
});
