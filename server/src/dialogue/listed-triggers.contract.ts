import Type from 'typebox';
import { CustomerName } from '../customers/customer-names.contract.ts';
import { NamedObject } from '../platform/contract/named.ts';
import { operation } from '../platform/contract/operation.ts';
import {
  about,
  InstanceParams,
  Nullable,
  PageOf,
  PageQuery,
  query,
  Timestamp,
  Uuid,
} from '../platform/contract/shapes.ts';

const Trigger = NamedObject('Trigger', {
  deployment_id: about(Uuid, 'Of list_instance_deployments'),
  customer_id: about(Uuid, 'For whom the agent speaks'),
  customer_name: CustomerName,
  name: about(Type.String(), 'Unique within the deployment; a repeated one has its number behind it'),
  schedule: about(Type.String(), 'When it is due, as cron writes it'),
  timezone: about(Type.String(), 'The customer’s, in which the schedule is read'),
  to: about(Type.String(), 'The address that the agent writes to'),
  next_at: about(Nullable(Timestamp), 'When it is due next'),
  last_at: about(Nullable(Timestamp), 'When it was due the last time; null where it never was'),
  last_error: about(Nullable(Type.String()), 'Why it said nothing the last time; null where it did'),
  opted_out: about(Type.Boolean(), 'True where `to` has written STOP: it says nothing'),
});

export const listInstanceTriggers = operation({
  id: 'list_instance_triggers',
  method: 'GET',
  path: '/v1/instances/{instance_id}/triggers',
  tag: 'Instances',
  summary: 'When an agent speaks by itself, and to whom',
  description:
    'The valid triggers of each customer that it serves: the recipe’s, with the overrides and the customer’s own configuration.',
  credential: 'tenant',
  scope: 'instances:read',
  load: 'configuration',
  params: InstanceParams,
  query: query(PageQuery),
  responses: { 200: PageOf(Trigger) },
});
