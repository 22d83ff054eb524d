import Type from 'typebox';
import { NamedObject } from '../platform/contract/named.ts';
import { operation } from '../platform/contract/operation.ts';
import { Clearable, secret, Text, Uuid } from '../platform/contract/shapes.ts';
import { ExistingPassword, Role } from './users.contract.ts';

const tag = 'Authentication';

export const TokenPair = NamedObject('TokenPair', {
  access_token: secret(Type.String({ description: 'A JWT; 15 minutes' })),
  refresh_token: secret(Type.String({ description: '30 days; replaced at each use' })),
  token_type: Type.Literal('bearer'),
  expires_in: Type.Integer({ description: 'Seconds until the access token expires' }),
  tenant_id: Uuid,
  role: Role,
});

const RefreshTokenRequest = NamedObject('RefreshTokenRequest', { refresh_token: secret(Text(1024)) });

export const login = operation({
  id: 'login',
  method: 'POST',
  path: '/auth/login',
  tag,
  summary: 'Sign in with e-mail and password',
  description:
    'Without tenant_id the password is tried on the five accounts of the address that signed in last; others need tenant_id.',
  credential: 'none',
  scope: null,
  body: NamedObject('LoginRequest', {
    email: Text(320),
    password: ExistingPassword,
    tenant_id: Clearable(Uuid),
  }),
  responses: { 200: TokenPair },
  failures: [401, 429],
});

export const refreshTokens = operation({
  id: 'refresh_tokens',
  method: 'POST',
  path: '/auth/refresh',
  tag,
  summary: 'Trade a refresh token for a new pair',
  description:
    'Within 10 seconds the token just used gets the same successor again. Any older one ends the login, its access tokens included.',
  credential: 'none',
  scope: null,
  body: RefreshTokenRequest,
  responses: { 200: TokenPair },
  failures: [401],
});

export const switchTenant = operation({
  id: 'switch_tenant',
  method: 'POST',
  path: '/auth/switch-tenant',
  tag,
  summary: 'Sign in to another tenant of the same user',
  description:
    'Ends nothing: the answer is a new login in the other tenant. 404 where the user is no member of it.',
  credential: 'user',
  scope: null,
  body: NamedObject('TenantSwitchRequest', { tenant_id: Uuid }),
  responses: { 200: TokenPair },
  failures: [404],
});

export const logout = operation({
  id: 'logout',
  method: 'POST',
  path: '/auth/logout',
  tag,
  summary: 'End a login',
  description:
    'The refresh token and the access tokens of its login end at once. An unknown token is no error.',
  credential: 'none',
  scope: null,
  body: RefreshTokenRequest,
  responses: { 204: null },
});
