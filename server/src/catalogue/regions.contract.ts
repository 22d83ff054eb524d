import Type from 'typebox';
import { NamedObject } from '../platform/contract/named.ts';
import { operation } from '../platform/contract/operation.ts';
import {
  Clearable,
  Name,
  Nullable,
  PageOf,
  PageQuery,
  params,
  query,
  Text,
  Timestamp,
} from '../platform/contract/shapes.ts';

const tag = 'Tiers and regions';

export const Region = NamedObject('Region', {
  id: Type.String(),
  name: Type.String(),
  is_active: Type.Boolean(),
  created_at: Timestamp,
  updated_at: Timestamp,
});

export const RegionDetail = NamedObject('RegionDetail', {
  ...Region.properties,
  chatapp_api_base_url: Nullable(Type.String()),
});

export const RegionPut = NamedObject('RegionPut', {
  name: Type.Optional(Name),
  chatapp_api_base_url: Clearable(Type.String({ format: 'http-url', maxLength: 500 })),
  is_active: Type.Optional(Type.Boolean()),
});

export const listRegions = operation({
  id: 'list_regions',
  method: 'GET',
  path: '/v1/regions',
  tag,
  summary: 'List where an instance can run',
  description: 'The operator makes them. A deploy names one that is active.',
  credential: 'tenant',
  scope: 'instances:read',
  mcp: {},
  query: query(PageQuery),
  responses: { 200: PageOf(Region) },
});

export const putRegion = operation({
  id: 'put_region',
  method: 'PUT',
  path: '/internal/v1/regions/{region_id}',
  tag,
  summary: 'Make or change a region',
  description:
    'chatapp_api_base_url: where runtimes of this region reach the chat channel’s send API, when not at its public address.',
  credential: 'operations',
  scope: null,
  params: params({ region_id: Text(50, 1) }),
  body: RegionPut,
  responses: { 200: RegionDetail, 201: RegionDetail },
});
