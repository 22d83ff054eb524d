import type { TenantActor } from '../platform/actor.ts';
import type { Notifications } from '../platform/db/notifications.ts';
import { found } from '../platform/errors.ts';
import { created, noContent, ok, route } from '../platform/http/handler.ts';
import { page } from '../platform/http/page.ts';
import * as contract from './api-keys.contract.ts';
import { listApiKeys, revokeApiKey } from './api-keys.db.ts';
import { createApiKey, rotateApiKey } from './api-keys.ts';

interface ApiKeyServices {
  recordKeyUses: () => Promise<void>;
  notifications: Notifications;
}

export const apiKeyRoutes = [
  route(contract.listApiKeys, async ({ q, query }, { recordKeyUses }: ApiKeyServices) => {
    // The list includes uses that are not in the database yet.
    await recordKeyUses();
    return ok(await page(q, query, listApiKeys));
  }),

  route(contract.createApiKey, async ({ q, actor, body }) =>
    created(await createApiKey(q, actor as TenantActor, body)),
  ),

  route(contract.deleteApiKey, async ({ q, params }, { notifications }: ApiKeyServices) => {
    found('API key', await q.run(revokeApiKey(params.api_key_id)));
    // Whoever is told that the key has ended finds it so in this process; others hear of it a moment later.
    await notifications.caughtUp();
    return noContent();
  }),

  route(contract.rotateApiKey, async ({ q, actor, params, body }, { notifications }: ApiKeyServices) => {
    const rotated = await rotateApiKey(q, actor as TenantActor, params.api_key_id, body.overlap_seconds);
    await notifications.caughtUp();
    return created(rotated);
  }),

  route(contract.getApiKeyContext, async ({ actor }) => {
    const { tenant_id, role } = actor as TenantActor;
    if (actor.kind === 'api_key') {
      return ok({ tenant_id, api_key_id: actor.key_id, user_id: null, role, scopes: [...actor.scopes] });
    }
    // The role alone decides for a user (specification, section 5).
    const user_id = actor.kind === 'user' ? actor.user_id : null;
    return ok({ tenant_id, api_key_id: null, user_id, role, scopes: ['*'] });
  }),
];
