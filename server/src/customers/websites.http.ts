import { found } from '../platform/errors.ts';
import { created, noContent, ok, route } from '../platform/http/handler.ts';
import { page } from '../platform/http/page.ts';
import { readsCustomers } from './customer-names.ts';
import { customerExists } from './customers.db.ts';
import * as contract from './websites.contract.ts';
import { deleteWebsite, listWebsites } from './websites.db.ts';
import { addWebsite } from './websites.ts';

export const websiteRoutes = [
  route(contract.listWebsites, async ({ q, actor, params: { customer_id }, query }) => {
    const list = (limit: number, offset: number) =>
      listWebsites(customer_id, readsCustomers(actor), limit, offset);
    return ok(await page(q, query, list, customerExists(customer_id)));
  }),

  route(contract.createWebsite, async ({ q, actor, params, body }) =>
    created(await addWebsite(q, params.customer_id, body.hostname, readsCustomers(actor))),
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
