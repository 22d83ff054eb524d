import * as contract from '../contract/regions.ts';
import { listRegions, putRegion } from '../domain/regions.ts';
import { ok, route } from './handler.ts';
import { page } from './page.ts';

export const regionRoutes = [
  route(contract.listRegions, async ({ q, query }) => ok(await page(query, (...window) => listRegions(q, ...window)))),

  route(contract.putRegion, async ({ services, params, body }) => {
    const { name = null, chatapp_api_base_url = null, is_active } = body;
    const region = { id: params.region_id, name, chatapp_api_base_url, is_active };
    return ok(await putRegion(services.db.system, region, services.clock()));
  }),
];
