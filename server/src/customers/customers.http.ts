import { found } from '../platform/errors.ts';
import { created, noContent, ok, route } from '../platform/http/handler.ts';
import { page } from '../platform/http/page.ts';
import { findCustomer, listCustomers } from './customer-overviews.db.ts';
import * as contract from './customers.contract.ts';
import { addCustomer, changeCustomer, cloneCustomer, eraseCustomer } from './customers.ts';

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

  route(contract.updateCustomer, async ({ q, params, body }) =>
    ok(await changeCustomer(q, params.customer_id, body)),
  ),

  route(contract.deleteCustomer, async ({ q, params }) => {
    await eraseCustomer(q, params.customer_id);
    return noContent();
  }),

  route(contract.cloneCustomer, async ({ q, params, body }) =>
    created(await cloneCustomer(q, { ...body, ...params })),
  ),
];
