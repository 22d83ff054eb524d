import { readsCustomers } from '../customers/customer-names.ts';
import { ok, route } from '../platform/http/handler.ts';
import * as contract from './usage.contract.ts';
import { readUsage } from './usage.ts';

export const usageRoutes = [
  route(contract.getUsage, async ({ q, actor, query }) => {
    const {
      from,
      to,
      group_by = 'day',
      customer_id = null,
      instance_id = null,
      conversation_id = null,
    } = query;
    const filter = { from, to, customer_id, instance_id, conversation_id };
    return ok(await readUsage(q, filter, group_by.split(',') as contract.Group[], readsCustomers(actor)));
  }),
];
