import Type from 'typebox';
import { operation } from './operation.ts';
import { Literals, Text, Uuid } from './shapes.ts';

const tag = 'Authentication';

const TokenPair = Type.Object({
  access_token: Type.String({ description: 'A JWT; 15 minutes' }),
  refresh_token: Type.String({ description: '30 days; replaced at each use' }),
  token_type: Type.Literal('bearer'),
  expires_in: Type.Integer({ description: 'Seconds until the access token expires' }),
  tenant_id: Uuid,
  role: Literals(['admin', 'member']),
});

export const login = operation({
  id: 'login',
  method: 'POST',
  path: '/auth/login',
  tag,
  summary: 'Sign in with e-mail and password',
  credential: 'none',
  scope: null,
  body: Type.Object({ email: Text(320), password: Text(1024) }),
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
  body: Type.Object({ refresh_token: Text(1024) }),
  responses: { 200: TokenPair },
  failures: [401],
});

export const switchTenant = operation({
  id: 'switch_tenant',
  method: 'POST',
  path: '/auth/switch-tenant',
  tag,
  summary: 'Sign in to another tenant of the same user',
  credential: 'user',
  scope: null,
  body: Type.Object({ tenant_id: Uuid }),
  responses: { 200: TokenPair },
  failures: [404],
});

export const logout = operation({
  id: 'logout',
  method: 'POST',
  path: '/auth/logout',
  tag,
  summary: 'End a login',
  credential: 'none',
  scope: null,
  body: Type.Object({ refresh_token: Text(1024) }),
  responses: { 204: null },
});

export const authOperations = [login, refreshTokens, switchTenant, logout];
