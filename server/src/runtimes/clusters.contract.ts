import Type, { type Static } from 'typebox';
import { NamedObject } from '../platform/contract/named.ts';
import { operation } from '../platform/contract/operation.ts';
import {
  about,
  Clearable,
  Int,
  Literals,
  Nullable,
  PageOf,
  PageQuery,
  params,
  query,
  secret,
  Text,
  Timestamp,
  Uuid,
  within,
} from '../platform/contract/shapes.ts';

const tag = 'Operator';

const ClusterId = Type.String({
  minLength: 1,
  maxLength: 50,
  pattern: '^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$',
});
const ClusterParams = params({ cluster_id: about(ClusterId, 'The cluster’s id') });

const NodeSelector = within(
  4096,
  Type.Unsafe<Record<string, string>>({
    type: 'object',
    additionalProperties: { type: 'string', maxLength: 63 },
    maxProperties: 20,
  }),
);

const Toleration = NamedObject('ClusterToleration', {
  key: Type.Optional(about(Text(317), 'The taint’s key; every one where it is left out')),
  operator: Type.Optional(about(Literals(['Exists', 'Equal']), '`Equal` where it is left out')),
  value: Type.Optional(about(Text(63), 'The taint’s value')),
  effect: Type.Optional(about(Literals(['NoSchedule', 'PreferNoSchedule', 'NoExecute']), 'Of the taint')),
});

const DnsName = Type.String({ maxLength: 253, pattern: '^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$' });

/** For the engine `kubernetes`, beside the namespace. */
const podOptions = {
  runtime_class: Type.Optional(about(DnsName, 'The runtime class of their pods')),
  node_selector: Type.Optional(about(NodeSelector, 'Labels of the nodes for them')),
  tolerations: Type.Optional(about(Type.Array(Toleration, { maxItems: 20 }), 'Taints that they bear')),
  pull_secret: Type.Optional(about(DnsName, 'The secret with which their images are pulled')),
  host_users: Type.Optional(
    about(Type.Boolean(), 'False: with users of their own (user namespaces), where nodes have them'),
  ),
  service_account: Type.Optional(
    about(
      DnsName,
      'The service account of their pods, which needs no rights; `default` where it is left out',
    ),
  ),
};

export const PodOptions = Type.Object(podOptions, { additionalProperties: false });
export type PodOptions = Static<typeof PodOptions>;

const ClusterOptions = Type.Object({
  namespace: Type.Optional(
    about(
      Type.String({ maxLength: 63, pattern: '^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$' }),
      'The namespace that runtimes run in',
    ),
  ),
  ...podOptions,
});
export type ClusterOptions = Static<typeof ClusterOptions>;

export const Cluster = NamedObject('Cluster', {
  id: about(Type.String(), 'The cluster’s id'),
  region_id: about(Nullable(Type.String()), 'null for `default`, which serves regions without an active one'),
  engine: about(Literals(['process', 'docker', 'kubernetes']), '`process`: each copy runs its own runtimes'),
  is_active: about(Type.Boolean(), 'False: it gets no new instances'),
  max_instances: about(Nullable(Type.Integer()), 'The instances that it takes; null: any number'),
  instances: about(Type.Integer(), 'Its instances that are not terminated'),
  reachable: about(Nullable(Type.Boolean()), 'null where no copy has tried yet, and with `process`'),
  last_seen_at: about(Nullable(Timestamp), 'When a copy had its whole list for the last time'),
  lease_holder: about(Nullable(Uuid), 'The copy that reconciles it now'),
});

export const ClusterDetail = NamedObject('ClusterDetail', {
  ...Cluster.properties,
  endpoint: about(Nullable(Type.String()), 'Its address; null: that of the settings'),
  has_credentials: about(Type.Boolean(), 'They are never shown'),
  options: about(ClusterOptions, 'What pods are like there'),
  created_at: Timestamp,
  updated_at: Timestamp,
});

const Credentials = Type.Object({
  token: Type.Optional(about(secret(Text(16_384, 1)), 'kubernetes: the token of a service account')),
  ca: Type.Optional(about(secret(Text(65_536, 1)), 'The authority of its server, PEM')),
  cert: Type.Optional(about(secret(Text(65_536, 1)), 'docker: the client’s certificate, PEM')),
  key: Type.Optional(about(secret(Text(16_384, 1)), 'docker: the certificate’s key, PEM')),
});

export const ClusterPut = NamedObject('ClusterPut', {
  region_id: about(Text(50, 1), 'The region that it serves'),
  engine: about(Literals(['docker', 'kubernetes']), 'What runs the runtimes there'),
  is_active: about(Type.Optional(Type.Boolean()), 'False: it gets no new instances'),
  max_instances: about(Clearable(Int({ minimum: 1 })), 'The instances that it takes; null: any number'),
  endpoint: about(
    Clearable(Text(500, 1)),
    'docker: unix:///… or tcp://…, kubernetes: https://…; null: that of the settings. It is not tried',
  ),
  credentials: about(
    Clearable(Credentials),
    'kubernetes: token and ca, docker: ca, cert and key, which tcp:// requires. Encrypted and never returned',
  ),
  options: about(Clearable(ClusterOptions), 'Only for kubernetes'),
});
export type ClusterPut = Static<typeof ClusterPut>;

const operators = { tag, credential: 'operations', scope: null } as const;

export const listClusters = operation({
  ...operators,
  id: 'list_clusters',
  method: 'GET',
  path: '/internal/v1/clusters',
  summary: 'List the clusters that run runtimes',
  description: 'Newest first. `default` is always there: its engine is that of PROVISIONER.',
  query: query(PageQuery),
  responses: { 200: PageOf(Cluster) },
});

export const getCluster = operation({
  ...operators,
  id: 'get_cluster',
  method: 'GET',
  path: '/internal/v1/clusters/{cluster_id}',
  summary: 'Get a cluster',
  description: 'Without its credentials.',
  params: ClusterParams,
  responses: { 200: ClusterDetail },
});

export const putCluster = operation({
  ...operators,
  id: 'put_cluster',
  method: 'PUT',
  path: '/internal/v1/clusters/{cluster_id}',
  summary: 'Make or change a cluster',
  description:
    'Fields that are left out keep their value, and with another engine get their default. 409 while MTLS_PUBLIC_URL or RUNTIME_IMAGE is unset, for `default`, and for another engine or region while instances are there.',
  params: ClusterParams,
  body: ClusterPut,
  responses: { 200: ClusterDetail, 201: ClusterDetail },
  failures: [404, 409],
});

export const deleteCluster = operation({
  ...operators,
  id: 'delete_cluster',
  method: 'DELETE',
  path: '/internal/v1/clusters/{cluster_id}',
  summary: 'Forget a cluster',
  description: '409 while instances are there that are not terminated, and for `default`.',
  params: ClusterParams,
  responses: { 204: null },
  failures: [409],
});

export const drainCluster = operation({
  ...operators,
  id: 'drain_cluster',
  method: 'POST',
  path: '/internal/v1/clusters/{cluster_id}/drain',
  summary: 'Move a cluster’s instances away',
  description:
    'The cluster takes no new instances. One task of the kind move for each instance, ten at once, tenants in turn: its runtime ends, then it starts in the other cluster, and messages wait meanwhile. Where it does not start, it goes back. After ten failures the others stay. Instances that another task is at work on follow later; those of inactive tenants, and those whose region has no other cluster, stay. 404 for unknown clusters; 409 where `to` takes no instances or serves another region, where the region has no other active cluster, and for a cluster out of reach without `force`.',
  params: ClusterParams,
  body: NamedObject('ClusterDrain', {
    to: about(
      Clearable(Text(50, 1)),
      'The cluster that they go to; else each goes to an active cluster of its region with room',
    ),
    force: about(
      Type.Boolean({ default: false }),
      'Also where the cluster is out of reach: its runtimes are left behind, and are refused once they are back',
    ),
  }),
  responses: {
    202: NamedObject('ClusterDrainResult', {
      count: about(Type.Integer({ minimum: 0 }), 'How many instances move; others may follow'),
    }),
  },
  failures: [404, 409],
});
