import Type, { type Static, type TProperties, type TSchema } from 'typebox';
import { InstanceStatus } from '../catalogue/hosting.contract.ts';
import { Model } from '../catalogue/models.contract.ts';
import { RegionDetail } from '../catalogue/regions.contract.ts';
import { Tier } from '../catalogue/tiers.contract.ts';
import { instanceProperties } from '../instances/instances.contract.ts';
import { TaskStatusName, taskProperties } from '../instances/tasks.contract.ts';
import { NamedObject, named } from '../platform/contract/named.ts';
import { operation } from '../platform/contract/operation.ts';
import {
  about,
  Literals,
  Nullable,
  PageOf,
  PageQuery,
  query,
  Text,
  Timestamp,
  Uuid,
} from '../platform/contract/shapes.ts';

const tag = 'Operator';

const MESSAGE_STATUSES = ['pending', 'delivered', 'dead', 'queued', 'sent', 'read', 'failed'] as const;
export type OperatorMessageStatus = (typeof MESSAGE_STATUSES)[number];
const MessageStatus = named('OperatorMessageStatus', Literals(MESSAGE_STATUSES));

export const Host = NamedObject('Host', {
  id: about(Uuid, 'The copy’s own id, which it keeps in its data directory'),
  state: about(Literals(['alive', 'dead']), 'dead: not seen for 30 seconds'),
  seen_at: about(Timestamp, 'When it was last seen'),
  instances: about(Type.Integer(), 'Instances whose runtime it is responsible for'),
});

export const OperatorInstance = NamedObject('OperatorInstance', {
  ...instanceProperties,
  host_id: about(
    Nullable(Uuid),
    'The copy of the service, or the cluster’s own id for this, that is responsible for its runtime; null: none',
  ),
});

export const OperatorTask = NamedObject('OperatorTask', { tenant_id: Uuid, ...taskProperties });

/** No content and no addresses of people. */
export const OperatorMessage = NamedObject('OperatorMessage', {
  id: Uuid,
  tenant_id: Uuid,
  instance_id: Uuid,
  conversation_id: Nullable(Uuid),
  direction: Literals(['in', 'out']),
  channel: Type.String(),
  status: MessageStatus,
  attempts: Type.Integer(),
  last_error: Nullable(Type.String()),
  received_at: Timestamp,
  finished_at: Nullable(Timestamp),
});

export const AuthorityKey = NamedObject('AuthorityKey', {
  id: about(Uuid, 'The key’s id'),
  kind: about(Literals(['root', 'issuing']), 'issuing: it signs instances’ certificates'),
  serial: about(Type.String(), 'The serial number of its certificate, in hexadecimal digits'),
  issued_by: about(Nullable(Uuid), 'The key that signed its certificate; null: a root'),
  is_kept_here: about(Type.Boolean(), 'False where the private key is kept elsewhere'),
  not_before: about(Timestamp, 'When its certificate begins to be valid'),
  not_after: about(Timestamp, 'When its certificate ends'),
  retired_at: about(Nullable(Timestamp), 'Since when it signs nothing any more; null: it is at work'),
  created_at: Timestamp,
});

const ofTenant = { tenant_id: about(Type.Optional(Uuid), 'Only those of this tenant') };

const list = <Item extends TSchema, const Query extends TProperties>(
  name: string,
  item: Item,
  texts: { summary: string; description: string },
  filters: Query,
) =>
  operation({
    id: `list_operator_${name}`,
    method: 'GET',
    path: `/internal/v1/${name}`,
    tag,
    ...texts,
    credential: 'operations',
    scope: null,
    query: query({ ...PageQuery, ...filters }),
    responses: { 200: PageOf(item) },
  });

export const listAllTiers = list(
  'tiers',
  Tier,
  { summary: 'List all tiers', description: 'Inactive ones too, newest first.' },
  {},
);
export const listAllRegions = list(
  'regions',
  RegionDetail,
  { summary: 'List all regions', description: 'Inactive ones too, newest first.' },
  {},
);
export const listAllModels = list(
  'models',
  Model,
  { summary: 'List the whole model catalogue', description: 'Inactive models too, newest first.' },
  {},
);
export const listHosts = list(
  'hosts',
  Host,
  {
    summary: 'List the copies of the service that run runtimes',
    description: 'The one that was seen last comes first. A dead one is forgotten after a day.',
  },
  {},
);
export const listAllInstances = list(
  'instances',
  OperatorInstance,
  { summary: 'List the instances of all tenants', description: 'Newest first, terminated ones too.' },
  {
    ...ofTenant,
    status: Type.Optional(InstanceStatus),
    cluster_id: about(Type.Optional(Text(50, 1)), 'Only those on this cluster'),
  },
);
export const listAllTasks = list(
  'tasks',
  OperatorTask,
  { summary: 'List the tasks of all tenants', description: 'Newest first, finished ones too.' },
  { ...ofTenant, status: Type.Optional(TaskStatusName) },
);
export const listAllMessages = list(
  'messages',
  OperatorMessage,
  {
    summary: 'List the messages of all tenants, without what they say',
    description:
      'Newest first, in both directions. Received ones are pending, delivered or dead; ones to be sent are queued, sent, delivered, read or failed. `total` counts to at most 10000.',
  },
  { ...ofTenant, status: Type.Optional(MessageStatus) },
);
export const listAuthorityKeys = list(
  'ca',
  AuthorityKey,
  {
    summary: 'List the keys of the certificate authority',
    description: 'Those at work come first, then retired ones. Private keys are not shown.',
  },
  {},
);

/** null: all. */
export interface ByTenantAndStatus<Status> {
  tenant_id: string | null;
  status: Status | null;
}

/** null: all. */
export interface InstanceFilter extends ByTenantAndStatus<Static<typeof InstanceStatus>> {
  cluster_id: string | null;
}
