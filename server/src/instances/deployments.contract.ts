import Type from 'typebox';
import { HostingMode } from '../catalogue/hosting.contract.ts';
import { PrimitiveKind } from '../catalogue/primitives.contract.ts';
import { NamedObject } from '../platform/contract/named.ts';
import { operation } from '../platform/contract/operation.ts';
import {
  about,
  Clearable,
  Int,
  Literals,
  Nullable,
  OpenObject,
  Text,
  Uuid,
} from '../platform/contract/shapes.ts';
import { DOCUMENT_LIMIT_WORDS } from '../platform/json/document-limit.ts';
import { RecipeCreate } from '../recipes/recipes.contract.ts';

const tag = 'Deployment';

const RecipeDraft = Type.Object(RecipeCreate.properties, { 'x-fields-of': 'create_recipe' });

export const Violation = NamedObject('Violation', {
  code: Literals([
    'not_approved',
    'unknown_field',
    'invalid_value',
    'pin_not_set',
    'unsupported',
    'hostname_in_use',
  ]),
  path: Type.String({ description: 'JSON pointer' }),
  kind: Nullable(PrimitiveKind),
  slug: Nullable(Type.String()),
  message: Type.String(),
});

export const MissingConnection = NamedObject('MissingConnection', {
  provider: Type.String(),
  name: Nullable(Type.String()),
  reason: Literals(['missing', 'expired', 'revoked']),
});

const PlanHash = Type.String({
  description: 'SHA-256 of the plan; a deploy that carries it does exactly this plan',
});

const Overrides = about(
  Clearable(OpenObject),
  `What is different for this instance: a JSON merge patch (RFC 7396) on the recipe’s configuration fields, where null takes a field away and a list replaces the whole list; ${DOCUMENT_LIMIT_WORDS}`,
);
const RecipeId = about(Uuid, 'The recipe, of list_recipes');
const CustomerId = about(Uuid, 'Whom the agent works for, of list_customers');
const Hostname = about(
  Text(100, 1),
  'The agent’s address in the web, as crew.example.com; kept with the instance',
);

/** By JSON pointer, as provenance. */
export const Effects = Type.Unsafe<Record<string, string>>({
  type: 'object',
  additionalProperties: { type: 'string', enum: ['control_plane', 'runtime', 'nobody'] },
  description:
    'Who acts on what is set, by JSON pointer; one covers everything below it that has no pointer of its own',
});

const composed = {
  template_name: Type.String(),
  resolved_config: OpenObject,
  effects: Effects,
  violations: Type.Array(Violation),
  plan_hash: PlanHash,
};

const DeployResult = NamedObject('DeployResult', {
  instance_id: Nullable(Uuid),
  task_id: Nullable(Uuid),
  idempotency_key: Type.String(),
  template_name: Type.String(),
  ready: Type.Boolean(),
  missing_connections: Type.Array(MissingConnection),
  violations: Type.Array(Violation),
});

export const composeRecipe = operation({
  id: 'compose_recipe',
  method: 'POST',
  path: '/v1/recipes/compose',
  tag,
  summary: 'Compose a recipe with overrides, and check it against the approved primitives',
  description:
    'Nothing is stored. `recipe` is composed in place of the recipe that `recipe_id` names. The answer has the resolved configuration, where each part comes from, and violations.',
  credential: 'tenant',
  scope: 'recipes:read',
  load: 'configuration',
  mcp: { readOnly: true },
  body: NamedObject('ComposeRequest', {
    recipe_id: about(Type.Optional(Uuid), 'The recipe, of list_recipes; needed without `recipe`'),
    recipe: about(
      Type.Optional(RecipeDraft),
      'A recipe that is not stored, with the fields of create_recipe, in place of recipe_id',
    ),
    instance_overrides: Overrides,
  }),
  responses: {
    200: NamedObject('ComposeResult', {
      ...composed,
      provenance: Type.Unsafe<Record<string, string>>({
        type: 'object',
        additionalProperties: { type: 'string', enum: ['platform', 'recipe', 'override'] },
        description: 'By JSON pointer; one covers everything below it that has no pointer of its own',
      }),
    }),
  },
  failures: [404],
});

export const checkDeploy = operation({
  id: 'check_deploy',
  method: 'POST',
  path: '/v1/recipes/deploy-check',
  tag,
  summary: 'What a deploy would do, and what is missing for it',
  description:
    'Nothing is stored. `plan_hash` lets a deploy do exactly what was checked, or nothing. The violation `hostname_in_use` says that an instance of the tenant, which is not terminated, has the hostname; it blocks nothing.',
  credential: 'tenant',
  scope: 'recipes:read',
  load: 'configuration',
  mcp: { readOnly: true, handsOver: { field: 'missing_connections', operation: 'create_connection' } },
  body: NamedObject('DeployCheckRequest', {
    customer_id: CustomerId,
    hostname: Hostname,
    recipe_id: RecipeId,
    instance_overrides: Overrides,
  }),
  responses: {
    200: NamedObject('DeployCheckResult', {
      ...composed,
      ready: Type.Boolean(),
      missing_connections: Type.Array(MissingConnection),
    }),
  },
  failures: [404],
});

export const deployRecipe = operation({
  id: 'deploy_recipe',
  method: 'POST',
  path: '/v1/recipes/deploy',
  tag,
  summary: 'Deploy a recipe for a customer',
  description:
    '202: provisioning is enqueued. 200: the idempotency key was deployed already, or something is missing (ready is false). A configuration of more than 512 KiB as JSON is refused.',
  credential: 'tenant',
  scope: 'instances:write',
  load: 'configuration',
  mcp: {
    openWorld: true,
    handsOver: { field: 'missing_connections', operation: 'create_connection' },
    says: 'Deploy a recipe for a customer. Where `ready` is false nothing was deployed, and `missing_connections` says what is missing; otherwise wait_for_task follows `task_id`, and at its end the instance runs. An `idempotency_key` that was deployed already answers with that instance.',
  },
  body: NamedObject('DeployRequest', {
    customer_id: CustomerId,
    recipe_id: RecipeId,
    tier_id: about(Uuid, 'The size of the instance, of list_tiers'),
    region_id: about(Text(50, 1), 'Where it runs, of list_regions'),
    hostname: Hostname,
    hosting_mode: about(
      Clearable(HostingMode),
      'One customer for the instance, or several; the recipe’s where nothing is said',
    ),
    shared_node_capacity: about(
      Clearable(Int({ minimum: 10, maximum: 200 })),
      'How many deployments a shared instance takes that is made for this one; the recipe’s where nothing is said',
    ),
    idempotency_key: about(
      Clearable(Text(255, 1)),
      'A text of your own for this deploy: sent again with it, nothing is deployed twice and the same instance comes back',
    ),
    instance_overrides: Overrides,
    manifest_id: about(Clearable(Text(200)), 'The manifest, of list_manifests, in place of the recipe’s'),
    plan_hash: about(
      Clearable(Text(64)),
      'What check_deploy answered: exactly that plan is deployed, or nothing',
    ),
  }),
  responses: { 200: DeployResult, 202: DeployResult },
  failures: [404, 409],
});
