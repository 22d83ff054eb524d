import type { TenantActor } from '../platform/actor.ts';
import { created, noContent, ok, route } from '../platform/http/handler.ts';
import { pageOf } from '../platform/http/page.ts';
import type { Services } from '../services.ts';
import * as contract from './api-keys.contract.ts';
import { createApiKey, listApiKeys, revokeApiKey, rotateApiKey } from './api-keys.ts';

export const apiKeyRoutes = [
  route(contract.listApiKeys, async ({ q, query }, services: Services) => {
    const now = services.clock();
    // Who asks right after a use wants to see it.
    await services.noteKeyUses();
    return ok(await pageOf(query, (...window) => listApiKeys(q, now, ...window)));
  }),

  route(contract.createApiKey, async ({ q, actor, body }) => {
    return created(await createApiKey(q, actor as TenantActor, body));
  }),

  route(contract.deleteApiKey, async ({ q, params }, services: Services) => {
    await revokeApiKey(q, params.api_key_id, services.clock());
    return noContent();
  }),

  route(contract.rotateApiKey, async ({ q, actor, params, body }, services: Services) =>
    created(
      await rotateApiKey(q, actor as TenantActor, params.api_key_id, services.clock(), body.overlap_seconds),
    ),
  ),

  route(contract.getApiKeyContext, async ({ actor }) => {
    const { tenant_id, role } = actor as TenantActor;
    if (actor.kind === 'api_key') {
      return ok({ tenant_id, api_key_id: actor.key_id, user_id: null, role, scopes: [...actor.scopes] });
    }
    // A user is not filtered by scopes (spec, section 5): the role alone decides.
    return ok({
      tenant_id,
      api_key_id: null,
      user_id: actor.kind === 'user' ? actor.user_id : null,
      role,
      scopes: ['*'],
    });
  }),
];
