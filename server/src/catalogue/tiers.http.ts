import type { Database } from '../platform/db/database.ts';
import { created, ok, route } from '../platform/http/handler.ts';
import { page } from '../platform/http/page.ts';
import * as contract from './tiers.contract.ts';
import { listTiers, putTier } from './tiers.db.ts';

export const tierRoutes = [
  route(contract.listTiers, async ({ q, query }) => ok(await page(q, query, listTiers))),

  route(contract.putTier, async ({ params, body }, { db }: { db: Database }) => {
    const { is_new, ...tier } = await db.system.run(putTier(params.tier_id, body));
    return is_new ? created(tier) : ok(tier);
  }),
];
