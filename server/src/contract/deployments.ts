import Type from 'typebox';
import { NamedObject } from './named.ts';
import { operation } from './operation.ts';
import { PrimitiveKind } from './primitives.ts';
import { HostingMode } from './recipes.ts';
import { Clearable, Int, Literals, Nullable, OpenObject, Text, Uuid } from './shapes.ts';

const tag = 'Deployment';

const Violation = NamedObject('Violation', {
  code: Literals(['not_approved', 'unknown_field', 'invalid_value']),
  path: Type.String({ description: 'JSON pointer' }),
  kind: Nullable(PrimitiveKind),
  slug: Nullable(Type.String()),
  message: Type.String(),
});

const MissingConnection = NamedObject('MissingConnection', {
  provider: Type.String(),
  name: Nullable(Type.String()),
  reason: Literals(['missing', 'expired', 'revoked']),
});

const PlanHash = Type.String({
  description: 'SHA-256 of the plan; a deploy that carries it does exactly this plan',
});

const composed = {
  template_name: Type.String(),
  resolved_config: OpenObject,
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
  credential: 'tenant',
  scope: 'recipes:read',
  mcp: { readOnly: true },
  body: NamedObject('ComposeRequest', { recipe_id: Uuid, instance_overrides: Clearable(OpenObject) }),
  responses: {
    200: NamedObject('ComposeResult', {
      ...composed,
      provenance: Type.Unsafe<Record<string, string>>({
        type: 'object',
        additionalProperties: { type: 'string', enum: ['platform', 'recipe', 'override'] },
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
  credential: 'tenant',
  scope: 'recipes:read',
  mcp: { readOnly: true },
  body: NamedObject('DeployCheckRequest', {
    customer_id: Uuid,
    hostname: Text(100, 1),
    recipe_id: Uuid,
    instance_overrides: Clearable(OpenObject),
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
    '202: provisioning is enqueued. 200: the idempotency key was deployed already, or something is missing (ready is false).',
  credential: 'tenant',
  scope: 'instances:write',
  mcp: { openWorld: true },
  body: NamedObject('DeployRequest', {
    customer_id: Uuid,
    recipe_id: Uuid,
    tier_id: Uuid,
    region_id: Text(50, 1),
    hostname: Text(100, 1),
    hosting_mode: Clearable(HostingMode),
    shared_node_capacity: Clearable(Int({ minimum: 10, maximum: 200 })),
    idempotency_key: Clearable(Text(255, 1)),
    instance_overrides: Clearable(OpenObject),
    manifest_id: Clearable(Text(200)),
    plan_hash: Clearable(Text(64)),
  }),
  responses: { 200: DeployResult, 202: DeployResult },
  failures: [404, 409],
});

export const deploymentOperations = [composeRecipe, checkDeploy, deployRecipe];
