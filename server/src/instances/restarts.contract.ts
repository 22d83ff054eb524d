import Type from 'typebox';
import { NamedObject } from '../platform/contract/named.ts';
import { operation } from '../platform/contract/operation.ts';
import { about, Clearable, Int, Text, Uuid } from '../platform/contract/shapes.ts';

export const restartInstances = operation({
  id: 'restart_instances',
  method: 'POST',
  path: '/internal/v1/instances/restart',
  tag: 'Operator',
  summary: 'Restart the running instances of all tenants, a few at a time',
  description:
    'One task of the kind restart for each running instance that matches; `list_operator_tasks` shows how far they are. Tenants take turns. Instances that another task is at work on, and those of inactive tenants, are left out. A stop, termination or restart of an instance takes the place of a task that waits; other requests are 409 until it is done or canceled. 404 for an unknown cluster, manifest or tenant.',
  credential: 'operations',
  scope: null,
  body: NamedObject('FleetRestart', {
    cluster_id: about(Clearable(Text(200)), 'Only those of this cluster'),
    manifest_id: about(Clearable(Text(200)), 'Only those that run with this manifest'),
    tenant_id: about(Clearable(Uuid), 'Only those of this tenant'),
    at_once: about(Int({ minimum: 1, maximum: 100, default: 10 }), 'How many restart at the same time'),
  }),
  responses: {
    202: NamedObject('FleetRestartResult', {
      count: about(Type.Integer({ minimum: 0 }), 'How many instances restart'),
    }),
  },
  failures: [404],
});
