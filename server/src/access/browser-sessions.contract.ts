import Type from 'typebox';
import { NamedObject } from '../platform/contract/named.ts';
import { operation } from '../platform/contract/operation.ts';
import { Clearable, params, secret, Text, Timestamp, Uuid } from '../platform/contract/shapes.ts';
import { ExistingPassword, Role } from './users.contract.ts';

const tag = 'Authentication';

const SAME_ORIGIN =
  'Pages of this service alone may call it (403): the refresh token is a cookie that no script reads.';

const BrowserSession = NamedObject('BrowserSession', {
  access_token: secret(Type.String({ description: 'A JWT; 15 minutes' })),
  token_type: Type.Literal('bearer'),
  expires_in: Type.Integer({ description: 'Seconds until the access token expires' }),
  tenant_id: Uuid,
  role: Role,
});

export const createBrowserSession = operation({
  id: 'create_browser_session',
  method: 'POST',
  path: '/auth/browser-session',
  tag,
  summary: 'Sign in from a page of this service',
  description: `Like login. ${SAME_ORIGIN}`,
  credential: 'none',
  scope: null,
  body: NamedObject('BrowserSessionRequest', {
    email: Text(320),
    password: ExistingPassword,
    tenant_id: Type.Optional(Clearable(Uuid)),
  }),
  responses: { 200: BrowserSession },
  failures: [401, 403, 429],
});

export const refreshBrowserSession = operation({
  id: 'refresh_browser_session',
  method: 'POST',
  path: '/auth/browser-session/refresh',
  tag,
  summary: 'Renew the access token of a page',
  description: `204 when nobody is signed in; 409 when the browser is by now signed in to another tenant than the one that is named. ${SAME_ORIGIN}`,
  credential: 'none',
  scope: null,
  body: NamedObject('BrowserRefreshRequest', { tenant_id: Type.Optional(Clearable(Uuid)) }),
  responses: { 200: BrowserSession, 204: null },
  failures: [401, 403, 409],
});

export const switchBrowserSession = operation({
  id: 'switch_browser_session',
  method: 'POST',
  path: '/auth/browser-session/tenant',
  tag,
  summary: 'Go to another tenant of the same user',
  description: `The browser’s session ends and a new one begins in that tenant; 404 where the user is no member of it. ${SAME_ORIGIN}`,
  credential: 'none',
  scope: null,
  body: NamedObject('BrowserTenantRequest', { tenant_id: Uuid }),
  responses: { 200: BrowserSession },
  failures: [401, 403, 404],
});

export const endBrowserSession = operation({
  id: 'end_browser_session',
  method: 'DELETE',
  path: '/auth/browser-session',
  tag,
  summary: 'Sign out',
  description: `Without a session it is no error. ${SAME_ORIGIN}`,
  credential: 'none',
  scope: null,
  responses: { 204: null },
  failures: [403],
});

export const openSignInLink = operation({
  id: 'open_sign_in_link',
  method: 'POST',
  path: '/auth/browser-session/link',
  tag,
  summary: 'Sign in by a one-time link',
  description: `404 for a token that is unknown, used or older than 15 minutes. The session may set the password once within the hour without the current one. ${SAME_ORIGIN}`,
  credential: 'none',
  scope: null,
  body: NamedObject('SignInLinkRequest', { token: secret(Text(1024)) }),
  responses: { 200: BrowserSession },
  failures: [403, 404],
});

export const createSignInLink = operation({
  id: 'create_sign_in_link',
  method: 'POST',
  path: '/internal/v1/tenants/{tenant_id}/users/{user_id}/sign-in-link',
  tag: 'Tenants',
  summary: 'Make a link that signs a user in once',
  description:
    'For the first sign-in, and for who is locked out. Its token stands behind the #, so no log has it.',
  credential: 'operations',
  scope: null,
  params: params({ tenant_id: Uuid, user_id: Uuid }),
  responses: {
    201: NamedObject('SignInLink', {
      url: secret(Type.String({ description: 'Used once, within 15 minutes' })),
      expires_at: Timestamp,
    }),
  },
});
