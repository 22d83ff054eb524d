import { unauthenticated } from '../platform/errors.ts';
import { noContent, ok, route } from '../platform/http/handler.ts';
import * as contract from './auth.contract.ts';
import { login, logout, refresh, type SessionServices, switchTenant } from './sessions.ts';

export const authRoutes = [
  route(contract.login, async ({ body, request }, services: SessionServices) =>
    ok(await login(services, body, request.clientAddress)),
  ),

  route(contract.refreshTokens, async ({ body }, services: SessionServices) =>
    ok(await refresh(services, body.refresh_token)),
  ),

  route(contract.switchTenant, async ({ actor, body }, services: SessionServices) => {
    if (actor.kind !== 'user') throw unauthenticated();
    return ok(await switchTenant(services, actor, body.tenant_id));
  }),

  route(contract.logout, async ({ body }, services: SessionServices) => {
    await logout(services, body.refresh_token);
    return noContent();
  }),
];
