import { notFound } from '../platform/errors.ts';
import { created, noContent, ok, route } from '../platform/http/handler.ts';
import { page } from '../platform/http/page.ts';
import { ofCustomer } from './customers.ts';
import * as contract from './websites.contract.ts';
import { addWebsite, deleteWebsite, listWebsites } from './websites.ts';

export const websiteRoutes = [
  route(contract.listWebsites, async ({ q, params: { customer_id }, query }) => {
    const list = page(query, (...window) => listWebsites(q, customer_id, ...window));
    return ok(await ofCustomer(q, customer_id, list));
  }),

  route(contract.createWebsite, async ({ q, params, body }) =>
    created(await addWebsite(q, params.customer_id, body.hostname)),
  ),

  route(contract.deleteWebsite, async ({ q, params }) => {
    const deleted = await ofCustomer(q, params.customer_id, deleteWebsite(q, params));
    if (!deleted) throw notFound('Website');
    return noContent();
  }),
];
