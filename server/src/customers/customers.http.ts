import { found } from '../platform/errors.ts';
import { created, ok, route } from '../platform/http/handler.ts';
import { page } from '../platform/http/page.ts';
import { findCustomer, listCustomers } from './customer-overviews.db.ts';
import * as contract from './customers.contract.ts';
import { addCustomer, cloneCustomer } from './customers.ts';

export const customerRoutes = [
  route(contract.listCustomers, async ({ q, query }) => {
    const { items, ...position } = await page(q, query, (...window) => listCustomers(query, ...window));
    const total_pages = Math.ceil(position.total / position.per_page);
    return ok({ customers: items, ...position, total_pages });
  }),

  route(contract.createCustomer, async ({ q, body }) => created(await addCustomer(q, body))),

  route(contract.getCustomer, async ({ q, params }) =>
    ok(found('Customer', await q.run(findCustomer(params.customer_id)))),
  ),

  route(contract.cloneCustomer, async ({ q, params, body }) =>
    created(await cloneCustomer(q, { ...body, ...params })),
  ),
];
