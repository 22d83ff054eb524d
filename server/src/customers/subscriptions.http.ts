import { found } from '../platform/errors.ts';
import { created, ok, route } from '../platform/http/handler.ts';
import { page } from '../platform/http/page.ts';
import { readsCustomers } from './customer-names.ts';
import { customerExists } from './customers.db.ts';
import * as contract from './subscriptions.contract.ts';
import { insertSubscription, listSubscriptions, updateSubscription } from './subscriptions.db.ts';

export const subscriptionRoutes = [
  route(contract.listSubscriptions, async ({ q, actor, params: { customer_id }, query }) => {
    const list = (limit: number, offset: number) =>
      listSubscriptions(customer_id, readsCustomers(actor), limit, offset);
    return ok(await page(q, query, list, customerExists(customer_id)));
  }),

  route(contract.createSubscription, async ({ q, actor, params, body }) => {
    const insert = insertSubscription(params.customer_id, body, readsCustomers(actor));
    return created(found('Customer', await q.run(insert)));
  }),

  route(contract.updateSubscription, async ({ q, actor, params, body }) => {
    const { row } = await q.run({
      customer: customerExists(params.customer_id),
      row: updateSubscription(params, body, readsCustomers(actor)),
    });
    return ok(found('Subscription', row));
  }),
];
