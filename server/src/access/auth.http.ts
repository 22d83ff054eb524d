import { unauthenticated } from '../platform/errors.ts';
import { noContent, ok, route } from '../platform/http/handler.ts';
import * as contract from './auth.contract.ts';
import { login, logout, refresh, switchTenant } from './sessions.ts';

export const authRoutes = [
  route(contract.login, async ({ services, body, request }) =>
    ok(await login(services, body.email, body.password, request.clientAddress)),
  ),

  route(contract.refreshTokens, async ({ services, body }) =>
    ok(await refresh(services, body.refresh_token)),
  ),

  route(contract.switchTenant, async ({ services, actor, body }) => {
    if (actor.kind !== 'user') throw unauthenticated();
    return ok(await switchTenant(services, actor, body.tenant_id));
  }),

  route(contract.logout, async ({ services, body }) => {
    await logout(services, body.refresh_token);
    return noContent();
  }),
];
