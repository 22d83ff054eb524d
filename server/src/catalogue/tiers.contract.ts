import Type from 'typebox';
import { NamedObject } from '../platform/contract/named.ts';
import { operation } from '../platform/contract/operation.ts';
import {
  Clearable,
  Int,
  Name,
  Nullable,
  PageOf,
  PageQuery,
  params,
  query,
  Text,
  Timestamp,
  Uuid,
} from '../platform/contract/shapes.ts';

const tag = 'Tiers and regions';

export const Tier = NamedObject('Tier', {
  id: Uuid,
  name: Type.String(),
  description: Nullable(Type.String()),
  cpu_millis: Nullable(Type.Integer()),
  memory_mib: Nullable(Type.Integer()),
  is_active: Type.Boolean(),
  created_at: Timestamp,
  updated_at: Timestamp,
});

export const TierPut = NamedObject('TierPut', {
  name: Type.Optional(Name),
  description: Clearable(Text(2000)),
  cpu_millis: Clearable(Int({ minimum: 1 })),
  memory_mib: Clearable(Int({ minimum: 1 })),
  is_active: Type.Optional(Type.Boolean()),
});

export const listTiers = operation({
  id: 'list_tiers',
  method: 'GET',
  path: '/v1/tiers',
  tag,
  summary: 'List the sizes that an instance can have',
  description: 'The operator makes them. A deploy names one that is active.',
  credential: 'tenant',
  scope: 'instances:read',
  mcp: {},
  query: query(PageQuery),
  responses: { 200: PageOf(Tier) },
});

export const putTier = operation({
  id: 'put_tier',
  method: 'PUT',
  path: '/internal/v1/tiers/{tier_id}',
  tag,
  summary: 'Make or change a tier',
  description: '201 where it is new. Fields that are left out keep their value.',
  credential: 'operations',
  scope: null,
  params: params({ tier_id: Uuid }),
  body: TierPut,
  responses: { 200: Tier, 201: Tier },
});
