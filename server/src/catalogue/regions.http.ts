import type { Database } from '../platform/db/database.ts';
import { created, ok, route } from '../platform/http/handler.ts';
import { page } from '../platform/http/page.ts';
import * as contract from './regions.contract.ts';
import { listRegions, putRegion } from './regions.db.ts';

export const regionRoutes = [
  route(contract.listRegions, async ({ q, query }) => ok(await page(q, query, listRegions))),

  route(contract.putRegion, async ({ params, body }, { db }: { db: Database }) => {
    const { is_new, ...region } = await db.system.run(putRegion(params.region_id, body));
    return is_new ? created(region) : ok(region);
  }),
];
