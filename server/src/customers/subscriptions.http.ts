import { found } from '../platform/errors.ts';
import { created, ok, route } from '../platform/http/handler.ts';
import { page } from '../platform/http/page.ts';
import { customerExists } from './customers.db.ts';
import * as contract from './subscriptions.contract.ts';
import { insertSubscription, listSubscriptions, updateSubscription } from './subscriptions.db.ts';

export const subscriptionRoutes = [
  route(contract.listSubscriptions, async ({ q, params: { customer_id }, query }) => {
    const list = (limit: number, offset: number) => listSubscriptions(customer_id, limit, offset);
    return ok(await page(q, query, list, customerExists(customer_id)));
  }),

  route(contract.createSubscription, async ({ q, params, body }) =>
    created(found('Customer', await q.run(insertSubscription(params.customer_id, body)))),
  ),

  route(contract.updateSubscription, async ({ q, params, body }) => {
    const { row } = await q.run({
      customer: customerExists(params.customer_id),
      row: updateSubscription(params, body),
    });
    return ok(found('Subscription', row));
  }),
];
