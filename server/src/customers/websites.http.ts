import { found } from '../platform/errors.ts';
import { created, noContent, ok, route } from '../platform/http/handler.ts';
import { page } from '../platform/http/page.ts';
import { customerExists } from './customers.db.ts';
import * as contract from './websites.contract.ts';
import { deleteWebsite, listWebsites } from './websites.db.ts';
import { addWebsite } from './websites.ts';

export const websiteRoutes = [
  route(contract.listWebsites, async ({ q, params: { customer_id }, query }) => {
    const list = (limit: number, offset: number) => listWebsites(customer_id, limit, offset);
    return ok(await page(q, query, list, customerExists(customer_id)));
  }),

  route(contract.createWebsite, async ({ q, params, body }) =>
    created(await addWebsite(q, params.customer_id, body.hostname)),
  ),

  route(contract.deleteWebsite, async ({ q, params }) => {
    const { deleted } = await q.run({
      customer: customerExists(params.customer_id),
      deleted: deleteWebsite(params),
    });
    found('Website', deleted);
    return noContent();
  }),
];
