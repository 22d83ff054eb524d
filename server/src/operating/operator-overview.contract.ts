import Type, { type Static } from 'typebox';
import { NamedObject } from '../platform/contract/named.ts';
import { operation } from '../platform/contract/operation.ts';
import { about, Nullable, Timestamp } from '../platform/contract/shapes.ts';

const Count = Type.Integer();

const QueueState = Type.Object({
  depth: about(Count, 'Jobs that are due and that nobody works on; at most 100000 are counted'),
  oldest_seconds: about(Type.Number(), 'For how long the oldest of them has been due'),
});

const ProviderState = NamedObject('ProviderState', {
  slug: Type.String(),
  ok: about(Type.Boolean(), 'True where it answered'),
  at: about(Timestamp, 'When it was asked'),
  error: about(Nullable(Type.String()), 'Why it did not'),
});

export const getOperatorOverview = operation({
  id: 'get_operator_overview',
  method: 'GET',
  path: '/internal/v1/overview',
  tag: 'Operator',
  summary: 'The state of the service and of all tenants together',
  description: 'The metrics as JSON. A provider is asked at most every 30 seconds.',
  credential: 'operations',
  scope: null,
  responses: {
    200: NamedObject('OperatorOverview', {
      version: about(Type.String(), 'The version of the service'),
      tenants: about(Count, 'Tenants, inactive ones too'),
      instances: NamedObject('LiveInstanceCounts', {
        pending: Count,
        provisioning: Count,
        running: Count,
        stopped: Count,
        failed: Count,
        terminating: Count,
      }),
      hosts: NamedObject('HostCounts', {
        alive: about(Count, 'Copies of the service that run runtimes'),
        dead: about(Count, 'Copies that were not seen for 30 seconds'),
      }),
      messages: NamedObject('OpenMessageCounts', {
        pending: about(
          Count,
          'Messages that wait for an agent; at most 100000 are counted, as of each status',
        ),
        queued: about(Count, 'Messages that wait for the channel'),
        dead: about(Count, 'Received messages that were given up'),
        failed: about(Count, 'Messages that could not be sent'),
      }),
      oldest_message_seconds: about(
        Type.Number(),
        'Age of the oldest message that an agent should have by now; 0 without one',
      ),
      queues: about(
        Type.Unsafe<Record<string, Static<typeof QueueState>>>({
          type: 'object',
          additionalProperties: QueueState,
        }),
        'Each kind of job that is due',
      ),
      certificates_expiring: about(Count, 'Certificates that should have been renewed by now'),
      providers: about(Type.Array(ProviderState), 'The operator’s model providers'),
      isolation: about(Type.String(), 'How far runtimes are isolated: on, off or missing: …'),
      database: about(Type.String(), 'ok, busy, read_only, full or unreachable'),
    }),
  },
});
