import Type from 'typebox';
import { HostingMode, InstanceStatus } from '../catalogue/hosting.contract.ts';
import { NamedObject } from '../platform/contract/named.ts';
import { operation, type ToolTraits } from '../platform/contract/operation.ts';
import {
  about,
  InstanceParams,
  Nullable,
  OpenElement,
  OpenObject,
  PageOf,
  PageQuery,
  query,
  Timestamp,
  Uuid,
} from '../platform/contract/shapes.ts';
import { RuntimeState } from './runtime-state.contract.ts';
import { Task } from './tasks.contract.ts';

const tag = 'Instances';

const instanceProperties = {
  id: Uuid,
  tenant_id: Uuid,
  customer_id: about(Nullable(Uuid), 'Whom it was made for; null once the customer was erased'),
  recipe_id: Uuid,
  recipe_revision: Type.Integer(),
  template_name: Type.String(),
  tier_id: Uuid,
  region_id: Type.String(),
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
const Instance = NamedObject('Instance', instanceProperties);
const InstanceDetail = NamedObject('InstanceDetail', {
  ...instanceProperties,
  resolved_config: OpenObject,
  provenance: OpenObject,
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
  credential: 'tenant',
  scope: 'instances:read',
  mcp: {},
  query: query({
    ...PageQuery,
    status: Type.Optional(InstanceStatus),
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

export const getInstanceDrift = operation({
  id: 'get_instance_drift',
  method: 'GET',
  path: '/v1/instances/{instance_id}/drift',
  tag,
  summary: 'How an instance differs from what its recipe would give today',
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
      changes: Type.Array(
        Type.Object({ pointer: Type.String(), deployed: OpenElement, current: OpenElement }),
      ),
    }),
  },
});

const lifecycle = (verb: 'stop' | 'start' | 'retry', summary: string, mcp: ToolTraits = {}) =>
  operation({
    id: `${verb}_instance`,
    method: 'POST',
    path: `/v1/instances/{instance_id}/${verb}`,
    tag,
    summary,
    credential: 'tenant',
    scope: 'instances:write',
    mcp,
    params: InstanceParams,
    responses: { 202: Task },
    failures: [409],
  });

export const stopInstance = lifecycle('stop', 'Stop a running instance', { destructive: true });
export const startInstance = lifecycle('start', 'Start a stopped instance');
export const retryInstance = lifecycle('retry', 'Provision a failed instance again', { openWorld: true });

export const deleteInstance = operation({
  id: 'delete_instance',
  method: 'DELETE',
  path: '/v1/instances/{instance_id}',
  tag,
  summary: 'Terminate an instance',
  credential: 'tenant',
  scope: 'instances:delete',
  mcp: {},
  params: InstanceParams,
  responses: { 202: Task },
  failures: [409],
});

export const createProxyKey = operation({
  id: 'create_proxy_key',
  method: 'POST',
  path: '/v1/instances/{instance_id}/proxy-key',
  tag,
  summary: 'Mint the instance a new proxy key; the one before stays valid for 10 minutes',
  credential: 'admin',
  scope: 'instance-creds:write',
  params: InstanceParams,
  responses: { 201: NamedObject('ProxyKey', { proxy_key: Type.String({ description: 'Shown once' }) }) },
  failures: [409],
});

export const deleteProxyKey = operation({
  id: 'delete_proxy_key',
  method: 'DELETE',
  path: '/v1/instances/{instance_id}/proxy-key',
  tag,
  summary: 'End every proxy key of the instance at once',
  description:
    'For a key that leaked. The runtime’s next refresh of its secrets is refused, so it ends with code 75 and is started again with a new key.',
  credential: 'admin',
  scope: 'instance-creds:write',
  params: InstanceParams,
  responses: { 204: null },
});
