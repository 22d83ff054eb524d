import Type from 'typebox';
import { HostingMode } from '../catalogue/hosting.contract.ts';
import { NamedObject, named } from '../platform/contract/named.ts';
import { operation } from '../platform/contract/operation.ts';
import {
  about,
  Clearable,
  Int,
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
} from '../platform/contract/shapes.ts';

const tag = 'Recipes';

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

const slugs = (what: string) =>
  `${what}. Slugs, or objects with one (\`slug\`, else \`type\`, \`name\` or \`id\`); list_primitives has the approved ones`;

/** The fields that a request may set; of 2.1 all but the returned-only ones. null clears. */
const settable = {
  description: about(Clearable(LongText), 'What the recipe is for, to choose it by'),
  system_prompt: about(Clearable(LongText), 'What the agent is told before a conversation'),
  manifest_id: about(Clearable(Text(200)), 'An identifier of your own, kept with the instance'),
  hosting_mode: about(
    Clearable(HostingMode),
    'Whether an instance serves one customer (dedicated, where nothing is said) or several (shared)',
  ),
  shared_node_capacity: about(
    Clearable(Int({ minimum: 1, maximum: 1000 })),
    'How many deployments a shared instance takes; 50 where nothing is said',
  ),
  onboarding_flow_id: about(Clearable(Uuid), 'The onboarding flow that a new instance is given'),
  rules_template_id: about(Clearable(Uuid), 'An id of your own; kept with the configuration'),
  approval_rules: about(Clearable(OpenObject), 'What a person has to approve; the inside is your own'),
  channel_config: about(Clearable(OpenObject), 'Settings of the channels; the inside is your own'),
  compliance_config: about(Clearable(OpenObject), 'Compliance settings; the inside is your own'),
  data_access: about(
    Clearable(OpenObject),
    'What data the agent may reach; `folder_ids`, or `drive.folder_ids`, are the only folders of the drive that it reads',
  ),
  model_policy: about(
    Clearable(OpenObject),
    'Which models: `model`, `default_model`, `fallback_model`, `primary_model`, and the lists `models`, `allowed_models`, `fallback_models` are held against the approved ones; the rest is your own',
  ),
  module_config: about(Clearable(OpenObject), 'Settings of modules; the inside is your own'),
  voice_config: about(Clearable(OpenObject), 'How the agent speaks; the inside is your own'),
  channel_types: about(Clearable(OpenArray), slugs('The channels that the agent answers in, as "chatapp"')),
  connection_requirements: about(
    Clearable(OpenArray),
    'What the customer has to be connected to before a deploy: objects {"provider": "chatapp", "name": …, "optional": true}; only `provider` is needed, and what is optional never blocks',
  ),
  mcp_servers: about(Clearable(OpenArray), slugs('The MCP servers that the agent may use')),
  skills: about(
    Clearable(OpenArray),
    slugs(
      'What the agent can do, as "staff_query"; {"slug": "timesheet", "pin_required": true} asks for a PIN first',
    ),
  ),
  trigger_templates: about(
    Clearable(OpenArray),
    'What starts the agent by itself; the elements are your own',
  ),
  workflow_slugs: about(Clearable(OpenArray), slugs('The workflows that the agent may start')),
  sidecars: about(
    Clearable(Type.Array(Sidecar, { maxItems: 100 })),
    'Processes beside the agent; only `name` is needed',
  ),
};

const RecipeName = about(Name, 'What the recipe is called');

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
  body: NamedObject('RecipeCreate', { name: RecipeName, ...settable }),
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
    name: Type.Optional(RecipeName),
    ...settable,
    is_active: about(Type.Optional(Type.Boolean()), 'An inactive recipe is not deployed'),
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
