import Type from 'typebox';
import { HostingMode, INSTANCE_STATUSES, InstanceStatus } from '../catalogue/hosting.contract.ts';
import { CustomerName } from '../customers/customer-names.contract.ts';
import { NamedObject } from '../platform/contract/named.ts';
import { operation, type ToolTraits } from '../platform/contract/operation.ts';
import {
  about,
  Clearable,
  InstanceParams,
  Int,
  Nullable,
  OpenElement,
  OpenObject,
  PageOf,
  PageQuery,
  params,
  query,
  Search,
  Several,
  Text,
  Timestamp,
  Uuid,
} from '../platform/contract/shapes.ts';
import { RecipeName } from '../recipes/recipe-names.contract.ts';
import { Effects, MissingConnection, Violation } from './deployments.contract.ts';
import { InstanceBudget } from './instance-budget.contract.ts';
import { RuntimeState } from './runtime-state.contract.ts';
import { InstanceTask, Task } from './tasks.contract.ts';

const tag = 'Instances';

/** Operators see these; tenants also see names and what goes on. */
export const instanceProperties = {
  id: Uuid,
  tenant_id: Uuid,
  customer_id: about(Nullable(Uuid), 'Whom it was made for; null once the customer was erased'),
  recipe_id: Uuid,
  recipe_revision: Type.Integer(),
  template_name: Type.String(),
  tier_id: Uuid,
  region_id: Type.String(),
  cluster_id: about(Type.String(), 'The cluster that its runtime runs on'),
  hostname: Type.String(),
  hosting_mode: HostingMode,
  shared_node_capacity: Type.Integer(),
  deployment_count: Type.Integer({ description: 'Deployments that it serves now' }),
  manifest_id: Nullable(Type.String()),
  status: InstanceStatus,
  tunnel_address: Nullable(Type.String()),
  runtime: RuntimeState,
  created_at: Timestamp,
  updated_at: Timestamp,
};
const tenantsProperties = {
  ...instanceProperties,
  customer_name: CustomerName,
  recipe_name: RecipeName,
  latest_revision: about(Nullable(Type.Integer()), 'The recipe’s revision now; null once it was deleted'),
  last_error: about(Nullable(Type.String()), 'Why it failed, while it is failed'),
  task: about(Nullable(InstanceTask), 'What is unfinished; null where nothing is'),
};
const Instance = NamedObject('Instance', tenantsProperties);
const ToolServer = NamedObject('ToolServer', {
  name: Type.String(),
  ok: about(Nullable(Type.Boolean()), 'Whether it answered the last time; null where nobody has asked yet'),
  tools: about(Nullable(Type.Integer()), 'How many tools it offers to the agent; null while it is down'),
  error: about(Nullable(Type.String()), 'Why it could not be used'),
  problems: about(
    Type.Array(
      NamedObject('ToolProblem', {
        tool: about(Nullable(Type.String()), 'The server’s own name of it; null where it has none'),
        reason: about(Type.String(), 'Why it is not offered'),
      }),
    ),
    'Tools that the server lists, or the configuration names, and that the agent does not have; the first 50',
  ),
  at: about(Nullable(Timestamp), 'When it was asked'),
});
const InstanceDetail = NamedObject('InstanceDetail', {
  ...tenantsProperties,
  budget: InstanceBudget,
  mcp_servers: about(Type.Array(ToolServer), 'How the servers of the agent’s tools were found the last time'),
  resolved_config: OpenObject,
  provenance: OpenObject,
  effects: about(
    Nullable(Effects),
    'Who acted on what at its deploy or last upgrade; null where an earlier version of the service deployed it',
  ),
});

const InstanceEvent = NamedObject('InstanceEvent', {
  id: Type.Integer(),
  at: Timestamp,
  from: Nullable(InstanceStatus),
  to: InstanceStatus,
  step: Nullable(Type.String()),
  message: Nullable(Type.String()),
});

export const listInstances = operation({
  id: 'list_instances',
  method: 'GET',
  path: '/v1/instances',
  tag,
  summary: 'List instances',
  description: 'Newest first, terminated ones too. Filters narrow the list together.',
  credential: 'tenant',
  scope: 'instances:read',
  mcp: {
    says: 'List instances as summaries; get_instance has the whole.',
    shows: [
      'id',
      'hostname',
      'status',
      'customer_id',
      'recipe_id',
      'recipe_revision',
      'template_name',
      'hosting_mode',
      'deployment_count',
      'tier_id',
      'region_id',
      'runtime',
      'created_at',
    ],
  },
  query: query({
    ...PageQuery,
    search: Search('hostname'),
    status: about(
      Type.Optional(Several(INSTANCE_STATUSES)),
      `Of ${INSTANCE_STATUSES.join(', ')}: one or several, with commas between them`,
    ),
    live: about(Type.Optional(Type.Boolean()), 'true: only those that are not terminated'),
    customer_id: about(Type.Optional(Uuid), 'Only those that serve this customer'),
    recipe_id: about(Type.Optional(Uuid), 'Only those of this recipe'),
  }),
  responses: { 200: PageOf(Instance) },
});

export const getInstance = operation({
  id: 'get_instance',
  method: 'GET',
  path: '/v1/instances/{instance_id}',
  tag,
  summary: 'Get an instance with the configuration that it was deployed with',
  description:
    'The configuration is the one composed at its deploy; later changes of the recipe show in its drift.',
  credential: 'tenant',
  scope: 'instances:read',
  load: 'configuration',
  mcp: {},
  params: InstanceParams,
  responses: { 200: InstanceDetail },
});

export const listInstanceEvents = operation({
  id: 'list_instance_events',
  method: 'GET',
  path: '/v1/instances/{instance_id}/events',
  tag,
  summary: 'An instance’s log: a page of it as JSON, or followed live with Accept: text/event-stream',
  description:
    'The stream begins with what has happened (or after Last-Event-ID) and goes on; each event’s data is one row of the log.',
  credential: 'tenant',
  scope: 'instances:read',
  mcp: { says: 'An instance’s log: its states and the steps between them, newest first.' },
  params: InstanceParams,
  query: query(PageQuery),
  responses: { 200: PageOf(InstanceEvent) },
  produces: ['application/json', 'text/event-stream'],
});

export const Change = Type.Object({ pointer: Type.String(), deployed: OpenElement, current: OpenElement });

const UpgradeResult = NamedObject('UpgradeResult', {
  task_id: about(Nullable(Uuid), 'The task to follow; null where nothing was begun'),
  template_name: Type.String(),
  resolved_config: OpenObject,
  effects: Effects,
  violations: Type.Array(Violation),
  plan_hash: about(Type.String(), 'Lets an upgrade do exactly what this answer shows, or nothing'),
  ready: Type.Boolean({ description: 'False where customers lack connections that are newly required' }),
  missing_connections: Type.Array(MissingConnection),
  deployed_revision: Type.Integer(),
  revision: Type.Integer({ description: 'The revision that the upgrade leads to' }),
  changes: Type.Array(Change),
});

export const upgradeInstance = operation({
  id: 'upgrade_instance',
  method: 'POST',
  path: '/v1/instances/{instance_id}/upgrade',
  tag,
  summary: 'Give an instance another revision of its recipe, or other overrides, in place',
  description:
    'The instance, its number, identity, PINs, conversations and status stay. 202: the task is enqueued, or the same upgrade is under way already. 200: nothing is to be changed, or with dry_run what would be. A step that fails for good has the steps before it undone. On a shared instance every deployment is upgraded. A customer who lacks a connection that the running configuration does without is 409 with missing_connections.',
  credential: 'tenant',
  scope: 'instances:write',
  load: 'configuration',
  params: InstanceParams,
  body: NamedObject('UpgradeRequest', {
    revision: about(
      Clearable(Int({ minimum: 1 })),
      'Which revision of the recipe; the newest where nothing is said',
    ),
    instance_overrides: about(
      Clearable(OpenObject),
      'In place of the instance’s own overrides, which stay where nothing is said; {} for none. A manifest that the deploy named stays unless the overrides name one. Not for a shared instance',
    ),
    plan_hash: about(
      Clearable(Text(64)),
      'What the same request with dry_run answered: exactly that plan is carried out, or nothing',
    ),
    dry_run: about(Clearable(Type.Boolean()), 'Only answer what would be changed'),
  }),
  responses: { 200: UpgradeResult, 202: UpgradeResult },
  failures: [404, 409],
});

export const InstanceDeployment = NamedObject('InstanceDeployment', {
  id: Uuid,
  instance_id: Uuid,
  customer_id: about(Nullable(Uuid), 'null once the customer was erased'),
  customer_email: Nullable(Type.String()),
  customer_name: CustomerName,
  recipe_id: Uuid,
  recipe_name: RecipeName,
  recipe_revision: Type.Integer(),
  hostname: Type.String(),
  instance_overrides: about(Nullable(OpenObject), 'The overrides that the customer was deployed with'),
  created_at: Timestamp,
});

export const listInstanceDeployments = operation({
  id: 'list_instance_deployments',
  method: 'GET',
  path: '/v1/instances/{instance_id}/deployments',
  tag,
  summary: 'Whom an instance serves: several customers where it is shared',
  description: 'Deployments that were not released, the newest first.',
  credential: 'admin',
  scope: 'instances:read',
  params: InstanceParams,
  query: query(PageQuery),
  responses: { 200: PageOf(InstanceDeployment) },
});

export const deleteInstanceDeployment = operation({
  id: 'delete_instance_deployment',
  method: 'DELETE',
  path: '/v1/instances/{instance_id}/deployments/{deployment_id}',
  tag,
  summary: 'Take a customer from an instance; without its last one the instance is terminated',
  description: 'The customer leaves at once; the task takes away what was wired for them.',
  credential: 'admin',
  scope: 'instances:delete',
  params: params({
    ...InstanceParams.properties,
    deployment_id: about(Uuid, 'The deployment’s id, of list_instance_deployments'),
  }),
  responses: { 202: Task },
  failures: [409],
});

export const getInstanceDrift = operation({
  id: 'get_instance_drift',
  method: 'GET',
  path: '/v1/instances/{instance_id}/drift',
  tag,
  summary: 'How an instance differs from what its recipe would give today',
  description:
    'Compares the deployed configuration with what the recipe and the instance’s overrides would give now.',
  credential: 'tenant',
  scope: 'instances:read',
  load: 'configuration',
  mcp: {},
  params: InstanceParams,
  responses: {
    200: NamedObject('InstanceDrift', {
      instance_id: Uuid,
      recipe_id: Uuid,
      deployed_revision: Type.Integer(),
      current_revision: Nullable(Type.Integer({ description: 'null when the recipe was deleted' })),
      drifted: Type.Boolean(),
      changes: Type.Array(Change),
    }),
  },
});

const lifecycle = (
  verb: 'stop' | 'start' | 'restart' | 'retry',
  summary: string,
  description: string,
  mcp: ToolTraits = {},
) =>
  operation({
    id: `${verb}_instance`,
    method: 'POST',
    path: `/v1/instances/{instance_id}/${verb}`,
    tag,
    summary,
    description,
    credential: 'tenant',
    scope: 'instances:write',
    mcp,
    params: InstanceParams,
    responses: { 202: Task },
    failures: [409],
  });

export const stopInstance = lifecycle(
  'stop',
  'Stop a running instance',
  'Its runtime ends; messages wait until it is started. In another state it is refused.',
  { destructive: true },
);
export const startInstance = lifecycle(
  'start',
  'Start a stopped instance',
  'With the configuration that it had. In another state it is refused.',
);
export const restartInstance = lifecycle(
  'restart',
  'Restart the runtime of a running instance',
  'The old runtime ends, then a new one starts with the tier and the image of now. Messages wait meanwhile. In another state, or while another task is at work, it is refused. Where the new runtime does not come up, the task fails, the instance stays running, and the runtime is tried further.',
  { unlisted: true },
);
export const retryInstance = lifecycle(
  'retry',
  'Provision a failed instance again',
  'From the first step that is missing. In another state it is refused.',
  { openWorld: true },
);

export const deleteInstance = operation({
  id: 'delete_instance',
  method: 'DELETE',
  path: '/v1/instances/{instance_id}',
  tag,
  summary: 'Terminate an instance',
  description:
    'Its runtime ends, and its secrets and address are given back. The answer’s task tells how far that is.',
  credential: 'tenant',
  scope: 'instances:delete',
  mcp: {},
  params: InstanceParams,
  responses: { 202: Task },
  failures: [409],
});
