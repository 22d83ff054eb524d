import * as contract from '../contract/regions.ts';
import { listRegions, putRegion } from '../domain/regions.ts';
import { created, ok, route } from './handler.ts';
import { page } from './page.ts';

export const regionRoutes = [
  route(contract.listRegions, async ({ q, query }) =>
    ok(await page(query, (...window) => listRegions(q, ...window))),
  ),

  route(contract.putRegion, async ({ services, params, body: { name, chatapp_api_base_url, is_active } }) => {
    const patch = { name, chatapp_api_base_url, is_active };
    const { is_new, ...region } = await putRegion(
      services.db.system,
      params.region_id,
      patch,
      services.clock(),
    );
    return is_new ? created(region) : ok(region);
  }),
];
