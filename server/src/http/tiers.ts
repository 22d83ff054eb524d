import * as contract from '../contract/tiers.ts';
import { listTiers, putTier } from '../domain/tiers.ts';
import { ok, route } from './handler.ts';
import { page } from './page.ts';

export const tierRoutes = [
  route(contract.listTiers, async ({ q, query }) => ok(await page(query, (...window) => listTiers(q, ...window)))),

  route(contract.putTier, async ({ services, params, body }) => {
    const { name = null, description = null, cpu_millis = null, memory_mib = null, is_active } = body;
    const tier = { id: params.tier_id, name, description, cpu_millis, memory_mib, is_active };
    return ok(await putTier(services.db.system, tier, services.clock()));
  }),
];
