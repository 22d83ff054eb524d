import Type from 'typebox';
import { LIMIT_NAMES } from '../access/tenants.contract.ts';
import { NamedObject } from '../platform/contract/named.ts';
import { operation } from '../platform/contract/operation.ts';
import { about, Literals, Nullable } from '../platform/contract/shapes.ts';

const TenantLimit = NamedObject('TenantLimit', {
  name: about(Literals(LIMIT_NAMES), 'As the operator sets it'),
  limit: about(Nullable(Type.Number()), 'The most that there may be; null: any number'),
  used: about(
    Nullable(Type.Number()),
    'How much of it is used; null for drive_reads_at_once and streams, which each copy of the service counts for itself',
  ),
});

export const listLimits = operation({
  id: 'list_limits',
  method: 'GET',
  path: '/v1/limits',
  tag: 'Tenants',
  summary: 'The tenant’s limits, and what is used of them',
  description:
    'All of them, in a fixed order. revisions_kept is used by the recipe that has the most, sender_messages by the busiest sender of the last 10 minutes.',
  credential: 'tenant',
  scope: 'usage:read',
  responses: { 200: NamedObject('TenantLimitList', { items: Type.Array(TenantLimit) }) },
});
