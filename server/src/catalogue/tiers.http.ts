import { created, ok, route } from '../platform/http/handler.ts';
import { pageOf } from '../platform/http/page.ts';
import type { Services } from '../services.ts';
import * as contract from './tiers.contract.ts';
import { listTiers, putTier } from './tiers.ts';

export const tierRoutes = [
  route(contract.listTiers, async ({ q, query }) =>
    ok(await pageOf(query, (...window) => listTiers(q, ...window))),
  ),

  route(contract.putTier, async ({ params, body }, services: Services) => {
    const { name, description, cpu_millis, memory_mib, is_active } = body;
    const patch = { name, description, cpu_millis, memory_mib, is_active };
    const { is_new, ...tier } = await putTier(services.db.system, params.tier_id, patch, services.clock());
    return is_new ? created(tier) : ok(tier);
  }),
];
