import Type from 'typebox';
import { NamedObject } from '../platform/contract/named.ts';
import { operation } from '../platform/contract/operation.ts';
import { scopePattern } from '../platform/contract/scopes.ts';
import {
  about,
  Clearable,
  Int,
  Name,
  Nullable,
  PageOf,
  PageQuery,
  params,
  query,
  secret,
  Timestamp,
  Uuid,
} from '../platform/contract/shapes.ts';
import { Role } from './users.contract.ts';

const tag = 'API keys';

const RateLimit = NamedObject('RateLimit', {
  limit: Int({ minimum: 1, maximum: 1_000_000 }),
  window_seconds: Int({ minimum: 1, maximum: 86_400 }),
});

export const ApiKey = NamedObject('ApiKey', {
  id: Uuid,
  tenant_id: Uuid,
  name: Type.String(),
  prefix: Type.String({ description: 'The start of the key, to recognise it by' }),
  role: Role,
  scopes: Type.Array(Type.String()),
  rate_limit: RateLimit,
  expires_at: Nullable(Timestamp),
  last_used_at: Nullable(Timestamp),
  created_at: Timestamp,
});

const ApiKeyWithSecret = NamedObject('ApiKeyWithSecret', {
  ...ApiKey.properties,
  key: secret(Type.String({ description: 'Shown once' })),
});

export const ApiKeyCreate = NamedObject('ApiKeyCreate', {
  name: Name,
  scopes: about(
    Type.Array(Type.String({ pattern: scopePattern, maxLength: 200 }), { maxItems: 100 }),
    'What it may do: `resource:verb` as recipes:read, `recipes:*`, or `*`; each operation’s stands in x-scope',
  ),
  role: Clearable(Role),
  rate_limit: Clearable(RateLimit),
  expires_at: Clearable(Timestamp),
});

const ApiKeyParams = params({ api_key_id: Uuid });

export const listApiKeys = operation({
  id: 'list_api_keys',
  method: 'GET',
  path: '/v1/api-keys',
  tag,
  summary: 'List API keys',
  description: 'Without the keys themselves, which are shown once, when they are made.',
  credential: 'admin',
  scope: 'keys:read',
  query: query(PageQuery),
  responses: { 200: PageOf(ApiKey) },
});

export const createApiKey = operation({
  id: 'create_api_key',
  method: 'POST',
  path: '/v1/api-keys',
  tag,
  summary: 'Mint an API key',
  description:
    'The key is in the answer and nowhere else. Its role is `member` and its limit 600 in 60 seconds, unless said otherwise. A key can grant only scopes, and a role, that it has itself.',
  credential: 'admin',
  scope: 'keys:write',
  body: ApiKeyCreate,
  responses: { 201: ApiKeyWithSecret },
});

export const deleteApiKey = operation({
  id: 'delete_api_key',
  method: 'DELETE',
  path: '/v1/api-keys/{api_key_id}',
  tag,
  summary: 'Revoke an API key',
  description: 'Requests with the key are refused from then on, within a second.',
  credential: 'admin',
  scope: 'keys:delete',
  params: ApiKeyParams,
  responses: { 204: null },
});

export const rotateApiKey = operation({
  id: 'rotate_api_key',
  method: 'POST',
  path: '/v1/api-keys/{api_key_id}/rotate',
  tag,
  summary: 'Replace an API key, with an overlap',
  description:
    'The new key inherits role, scopes, limit and expiry; the old one ends at the earlier of its own expiry and the overlap, of 10 minutes unless said otherwise.',
  credential: 'admin',
  scope: 'keys:write',
  params: ApiKeyParams,
  body: NamedObject('ApiKeyRotateRequest', {
    overlap_seconds: about(
      Clearable(Int({ minimum: 0, maximum: 30 * 86_400 })),
      'How long the old key goes on',
    ),
  }),
  responses: { 201: ApiKeyWithSecret },
});

export const getApiKeyContext = operation({
  id: 'get_api_key_context',
  method: 'GET',
  path: '/v1/mcp/api-key-context',
  tag,
  summary: 'What the calling key may do',
  description: 'Any key may ask. The answer names its tenant, role and scopes.',
  credential: 'tenant',
  scope: null,
  responses: {
    200: NamedObject('ApiKeyContext', {
      tenant_id: Uuid,
      api_key_id: Nullable(Uuid),
      user_id: Nullable(Uuid),
      role: Role,
      scopes: Type.Array(Type.String()),
    }),
  },
});
