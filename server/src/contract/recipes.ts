import Type from 'typebox';
import { NamedObject, named } from './named.ts';
import { operation } from './operation.ts';
import {
  Clearable,
  Int,
  Literals,
  Name,
  Nullable,
  OpenArray,
  OpenElement,
  OpenObject,
  PageOf,
  PageQuery,
  params,
  query,
  Text,
  Timestamp,
  Uuid,
} from './shapes.ts';

const tag = 'Recipes';

/** Whether an instance serves one customer, or several. */
const HOSTING_MODES = ['dedicated', 'shared'] as const;
export type HostingMode = (typeof HOSTING_MODES)[number];
export const HostingMode = named('HostingMode', Literals(HOSTING_MODES));

const OpenArrayOut = Type.Array(OpenElement);

const Sidecar = named(
  'Sidecar',
  Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 1, maxLength: 200 },
      port: Nullable(Type.Integer({ minimum: 1, maximum: 65_535 })),
      path: Nullable(Text(2000)),
      health: {},
      runtime: Nullable(Text(200)),
    },
    required: ['name'],
    additionalProperties: true,
  }),
);

/** As long as the body may be (contract, section 1). */
const LongText = Text(1024 * 1024);

/** The fields that a request may set; of 2.1 all but the returned-only ones. null clears. */
const settable = {
  description: Clearable(LongText),
  system_prompt: Clearable(LongText),
  manifest_id: Clearable(Text(200)),
  hosting_mode: Clearable(HostingMode),
  shared_node_capacity: Clearable(Int({ minimum: 1, maximum: 1000 })),
  onboarding_flow_id: Clearable(Uuid),
  rules_template_id: Clearable(Uuid),
  approval_rules: Clearable(OpenObject),
  channel_config: Clearable(OpenObject),
  compliance_config: Clearable(OpenObject),
  data_access: Clearable(OpenObject),
  model_policy: Clearable(OpenObject),
  module_config: Clearable(OpenObject),
  voice_config: Clearable(OpenObject),
  channel_types: Clearable(OpenArray),
  connection_requirements: Clearable(OpenArray),
  mcp_servers: Clearable(OpenArray),
  skills: Clearable(OpenArray),
  trigger_templates: Clearable(OpenArray),
  workflow_slugs: Clearable(OpenArray),
  sidecars: Clearable(Type.Array(Sidecar, { maxItems: 100 })),
};

const recipeProperties = {
  id: Uuid,
  tenant_id: Uuid,
  revision: Type.Integer({ description: 'Counts the changes' }),
  name: Type.String(),
  description: Nullable(Type.String()),
  system_prompt: Nullable(Type.String()),
  manifest_id: Nullable(Type.String()),
  hosting_mode: HostingMode,
  shared_node_capacity: Type.Integer(),
  is_active: Type.Boolean(),
  is_platform_template: Type.Boolean(),
  source_instance_id: Nullable(Uuid),
  onboarding_flow_id: Nullable(Uuid),
  rules_template_id: Nullable(Uuid),
  approval_rules: Nullable(OpenObject),
  channel_config: Nullable(OpenObject),
  compliance_config: Nullable(OpenObject),
  data_access: Nullable(OpenObject),
  model_policy: Nullable(OpenObject),
  module_config: Nullable(OpenObject),
  voice_config: Nullable(OpenObject),
  channel_types: OpenArrayOut,
  connection_requirements: OpenArrayOut,
  mcp_servers: OpenArrayOut,
  skills: OpenArrayOut,
  trigger_templates: OpenArrayOut,
  workflow_slugs: OpenArrayOut,
  sidecars: OpenArrayOut,
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
const RecipeRevision = NamedObject('RecipeRevision', { recipe_id: Uuid, ...contentProperties });

const RecipeParams = params({ template_id: Uuid });
const RevisionParams = params({ template_id: Uuid, revision: Int({ minimum: 1 }) });

export const listRecipes = operation({
  id: 'list_recipes',
  method: 'GET',
  path: '/v1/recipes',
  tag,
  summary: 'List recipes, the platform templates among them',
  credential: 'tenant',
  scope: 'recipes:read',
  mcp: {},
  responses: { 200: Type.Array(Recipe) },
});

export const createRecipe = operation({
  id: 'create_recipe',
  method: 'POST',
  path: '/v1/recipes',
  tag,
  summary: 'Create a recipe',
  credential: 'tenant',
  scope: 'recipes:write',
  mcp: {},
  body: NamedObject('RecipeCreate', { name: Name, ...settable }),
  responses: { 201: Recipe },
});

export const getRecipe = operation({
  id: 'get_recipe',
  method: 'GET',
  path: '/v1/recipes/{template_id}',
  tag,
  summary: 'Get a recipe',
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
  credential: 'tenant',
  scope: 'recipes:write',
  mcp: {},
  params: RecipeParams,
  body: NamedObject('RecipeUpdate', {
    name: Type.Optional(Name),
    ...settable,
    is_active: Type.Optional(Type.Boolean()),
  }),
  responses: { 200: Recipe },
});

export const deleteRecipe = operation({
  id: 'delete_recipe',
  method: 'DELETE',
  path: '/v1/recipes/{template_id}',
  tag,
  summary: 'Delete a recipe; instances deployed from it go on',
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
  credential: 'tenant',
  scope: 'recipes:read',
  mcp: {},
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
  credential: 'tenant',
  scope: 'recipes:write',
  mcp: {},
  params: RevisionParams,
  responses: { 200: Recipe },
});

export const recipeOperations = [
  listRecipes,
  createRecipe,
  getRecipe,
  updateRecipe,
  deleteRecipe,
  listRecipeRevisions,
  getRecipeRevision,
  restoreRecipeRevision,
];
