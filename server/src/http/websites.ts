import * as contract from '../contract/websites.ts';
import { ofCustomer } from '../domain/customers.ts';
import { addWebsite, deleteWebsite, listWebsites } from '../domain/websites.ts';
import { notFound } from '../errors.ts';
import { created, noContent, ok, route } from './handler.ts';
import { page } from './page.ts';

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
