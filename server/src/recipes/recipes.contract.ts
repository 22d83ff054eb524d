import Type, { type Static } from 'typebox';
import { NamedObject, named } from '../platform/contract/named.ts';
import { operation } from '../platform/contract/operation.ts';
import {
  about,
  Clearable,
  Int,
  Literals,
  Name,
  Nullable,
  PageOf,
  PageQuery,
  params,
  query,
  Search,
  Timestamp,
  Uuid,
} from '../platform/contract/shapes.ts';
import { DOCUMENT_LIMIT_WORDS } from '../platform/json/document-limit.ts';
import { answeredProperties, settableProperties } from './recipe-fields.contract.ts';

const tag = 'Recipes';

const RecipeName = about(Name, 'What the recipe is called');

const { description, system_prompt, manifest_id, hosting_mode, shared_node_capacity, ...others } =
  answeredProperties;
const recipeProperties = {
  id: Uuid,
  tenant_id: Uuid,
  revision: Type.Integer({ description: 'Counts the changes' }),
  name: Type.String(),
  description,
  system_prompt,
  manifest_id,
  hosting_mode,
  shared_node_capacity,
  is_active: Type.Boolean(),
  is_platform_template: Type.Boolean(),
  source_instance_id: Nullable(Uuid),
  ...others,
  created_at: Timestamp,
  updated_at: Timestamp,
};
export const Recipe = NamedObject('Recipe', recipeProperties);

const {
  id: _id,
  tenant_id: _tenant,
  is_platform_template: _template,
  updated_at: _at,
  ...contentProperties
} = recipeProperties;
export const RevisionAuthor = Type.Object({
  kind: Literals(['user', 'api_key', 'operations'] as const),
  id: about(Nullable(Uuid), 'Of the user or the key'),
  name: about(Nullable(Type.String()), 'The user’s e-mail address, the key’s name; null once it is gone'),
});
const RecipeRevision = NamedObject('RecipeRevision', {
  recipe_id: Uuid,
  ...contentProperties,
  created_by: about(
    Nullable(RevisionAuthor),
    'The person, or the key of a program, that made it; null in revisions from before there was this field',
  ),
});

const RecipeSummary = NamedObject('RecipeSummary', {
  id: Uuid,
  name: recipeProperties.name,
  description,
  revision: recipeProperties.revision,
  is_active: recipeProperties.is_active,
  is_platform_template: recipeProperties.is_platform_template,
  hosting_mode,
  live_instances: about(Type.Integer(), 'Instances of it that are not terminated'),
  outdated_instances: about(Type.Integer(), 'Those of them with an older revision'),
  updated_at: Timestamp,
});
export type RecipeSummary = Static<typeof RecipeSummary>;

const ListedRecipe = named(
  'ListedRecipe',
  Type.Unsafe<Static<typeof Recipe> | RecipeSummary>({ anyOf: [Recipe, RecipeSummary] }),
);

const ExpectedRevision = about(
  Clearable(Int({ minimum: 1 })),
  'Change only a recipe that is still at this revision (412 otherwise)',
);

export const RecipeCreate = NamedObject('RecipeCreate', { name: RecipeName, ...settableProperties });

const RecipeId = about(Uuid, 'The recipe’s id');
const RecipeParams = params({ template_id: RecipeId });
const RevisionParams = params({
  template_id: RecipeId,
  revision: about(Int({ minimum: 1 }), 'The number of the change, as list_recipe_revisions has it'),
});

export const listRecipes = operation({
  id: 'list_recipes',
  method: 'GET',
  path: '/v1/recipes',
  tag,
  summary: 'List recipes, the platform templates among them',
  description:
    'The whole recipes as one array: the tenant’s own, newest first, then the platform’s. With view=summary without their configurations, but with the numbers of their instances.',
  credential: 'tenant',
  scope: 'recipes:read',
  mcp: {
    says: 'List recipes as summaries, the platform’s templates last; get_recipe has the whole.',
    shows: [
      'id',
      'name',
      'description',
      'revision',
      'is_active',
      'is_platform_template',
      'hosting_mode',
      'updated_at',
    ],
  },
  query: query({
    search: Search('name or description'),
    view: about(Type.Optional(Literals(['summary'] as const)), 'summary: only what a list shows'),
  }),
  responses: {
    200: Type.Array(ListedRecipe),
  },
});

export const createRecipe = operation({
  id: 'create_recipe',
  method: 'POST',
  path: '/v1/recipes',
  tag,
  summary: 'Create a recipe',
  description: `A recipe has ${DOCUMENT_LIMIT_WORDS}.`,
  credential: 'tenant',
  scope: 'recipes:write',
  mcp: {
    brief: true,
    says: 'Create a recipe. search_operations explains each field; those that you leave out can be set later.',
  },
  body: RecipeCreate,
  responses: { 201: Recipe },
});

export const getRecipe = operation({
  id: 'get_recipe',
  method: 'GET',
  path: '/v1/recipes/{template_id}',
  tag,
  summary: 'Get a recipe',
  description: 'The tenant’s own, or a template of the platform.',
  credential: 'tenant',
  scope: 'recipes:read',
  mcp: {},
  params: RecipeParams,
  responses: { 200: Recipe },
});

export const updateRecipe = operation({
  id: 'update_recipe',
  method: 'PUT',
  path: '/v1/recipes/{template_id}',
  tag,
  summary: 'Change what is supplied of a recipe; every change makes a revision',
  description: `The recipe that results has ${DOCUMENT_LIMIT_WORDS}; a larger one from earlier may not grow.`,
  credential: 'tenant',
  scope: 'recipes:write',
  load: 'configuration',
  mcp: {
    brief: true,
    says: 'Change the supplied fields of a recipe; each change makes a revision. null clears a field. search_operations explains each field.',
  },
  params: RecipeParams,
  body: NamedObject('RecipeUpdate', {
    name: Type.Optional(RecipeName),
    ...settableProperties,
    is_active: about(Type.Optional(Type.Boolean()), 'An inactive recipe is not deployed'),
    expect_revision: ExpectedRevision,
  }),
  responses: { 200: Recipe },
  failures: [412],
});

export const deleteRecipe = operation({
  id: 'delete_recipe',
  method: 'DELETE',
  path: '/v1/recipes/{template_id}',
  tag,
  summary: 'Delete a recipe; instances deployed from it go on',
  description:
    'It is not listed and not deployed any more. Its revisions stay with the instances that use them.',
  credential: 'tenant',
  scope: 'recipes:delete',
  mcp: {},
  params: RecipeParams,
  responses: { 204: null },
});

export const listRecipeRevisions = operation({
  id: 'list_recipe_revisions',
  method: 'GET',
  path: '/v1/recipes/{template_id}/revisions',
  tag,
  summary: 'List a recipe’s revisions, newest first',
  description: 'Each change of a recipe is a revision, kept as the recipe stood after it.',
  credential: 'tenant',
  scope: 'recipes:read',
  mcp: {
    unlisted: true,
    says: 'List a recipe’s revisions as summaries, newest first; get_recipe_revision has the whole.',
    shows: ['revision', 'name', 'is_active', 'created_at'],
  },
  params: RecipeParams,
  query: query(PageQuery),
  responses: { 200: PageOf(RecipeRevision) },
});

export const getRecipeRevision = operation({
  id: 'get_recipe_revision',
  method: 'GET',
  path: '/v1/recipes/{template_id}/revisions/{revision}',
  tag,
  summary: 'Get a recipe as it stood after a change',
  description: 'The fields have the values of that time.',
  credential: 'tenant',
  scope: 'recipes:read',
  params: RevisionParams,
  responses: { 200: RecipeRevision },
});

export const restoreRecipeRevision = operation({
  id: 'restore_recipe_revision',
  method: 'POST',
  path: '/v1/recipes/{template_id}/revisions/{revision}/restore',
  tag,
  summary: 'Bring a revision back, as a new one',
  description: 'A revision over the limits of a recipe is refused where the recipe is smaller now.',
  credential: 'tenant',
  scope: 'recipes:write',
  load: 'configuration',
  mcp: { unlisted: true },
  params: RevisionParams,
  body: NamedObject('RecipeRestore', { expect_revision: ExpectedRevision }),
  responses: { 200: Recipe },
  failures: [412],
});
