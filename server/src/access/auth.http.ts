import { unauthenticated } from '../platform/errors.ts';
import { noContent, ok, route } from '../platform/http/handler.ts';
import type { Services } from '../services.ts';
import * as contract from './auth.contract.ts';
import { login, logout, refresh, switchTenant } from './sessions.ts';

export const authRoutes = [
  route(contract.login, async ({ body, request }, services: Services) =>
    ok(await login(services, body.email, body.password, request.clientAddress)),
  ),

  route(contract.refreshTokens, async ({ body }, services: Services) =>
    ok(await refresh(services, body.refresh_token)),
  ),

  route(contract.switchTenant, async ({ actor, body }, services: Services) => {
    if (actor.kind !== 'user') throw unauthenticated();
    return ok(await switchTenant(services, actor, body.tenant_id));
  }),

  route(contract.logout, async ({ body }, services: Services) => {
    await logout(services, body.refresh_token);
    return noContent();
  }),
];
