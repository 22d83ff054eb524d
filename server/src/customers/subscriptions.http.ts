import { notFound } from '../platform/errors.ts';
import { created, ok, route } from '../platform/http/handler.ts';
import { page } from '../platform/http/page.ts';
import type { Services } from '../services.ts';
import { ofCustomer } from './customers.ts';
import * as contract from './subscriptions.contract.ts';
import { insertSubscription, listSubscriptions, updateSubscription } from './subscriptions.ts';

export const subscriptionRoutes = [
  route(contract.listSubscriptions, async ({ q, params: { customer_id }, query }) => {
    const list = page(query, (...window) => listSubscriptions(q, customer_id, ...window));
    return ok(await ofCustomer(q, customer_id, list));
  }),

  route(contract.createSubscription, async ({ q, params, body }) => {
    const { status, plan = null, current_period_end = null } = body;
    const subscription = await insertSubscription(q, { ...params, status, plan, current_period_end });
    if (!subscription) throw notFound('Customer');
    return created(subscription);
  }),

  route(contract.updateSubscription, async ({ q, params, body }, services: Services) => {
    const update = updateSubscription(q, params, body, services.clock());
    const subscription = await ofCustomer(q, params.customer_id, update);
    if (!subscription) throw notFound('Subscription');
    return ok(subscription);
  }),
];
