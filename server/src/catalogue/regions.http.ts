import { created, ok, route } from '../platform/http/handler.ts';
import { pageOf } from '../platform/http/page.ts';
import type { Services } from '../services.ts';
import * as contract from './regions.contract.ts';
import { listRegions, putRegion } from './regions.ts';

export const regionRoutes = [
  route(contract.listRegions, async ({ q, query }) =>
    ok(await pageOf(query, (...window) => listRegions(q, ...window))),
  ),

  route(
    contract.putRegion,
    async ({ params, body: { name, chatapp_api_base_url, is_active } }, services: Services) => {
      const patch = { name, chatapp_api_base_url, is_active };
      const { is_new, ...region } = await putRegion(
        services.db.system,
        params.region_id,
        patch,
        services.clock(),
      );
      return is_new ? created(region) : ok(region);
    },
  ),
];
