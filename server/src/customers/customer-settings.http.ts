import { notFound } from '../platform/errors.ts';
import { ok, route } from '../platform/http/handler.ts';
import type { Services } from '../services.ts';
import * as contract from './customer-settings.contract.ts';
import {
  getCustomerConfig,
  getCustomerRules,
  replaceCustomerConfig,
  replaceCustomerRules,
} from './customer-settings.ts';

export const customerSettingRoutes = [
  route(contract.getCustomerRules, async ({ q, params }) =>
    ok(await getCustomerRules(q, params.customer_id)),
  ),

  route(contract.replaceCustomerRules, async ({ q, params, body }, services: Services) => {
    const rules = await replaceCustomerRules(q, params.customer_id, body, services.clock());
    if (!rules) throw notFound('Customer');
    return ok(rules);
  }),

  route(contract.getCustomerConfig, async ({ q, params }) =>
    ok(await getCustomerConfig(q, params.customer_id)),
  ),

  route(contract.replaceCustomerConfig, async ({ q, params, body }, services: Services) => {
    const config = await replaceCustomerConfig(q, params.customer_id, body, services.clock());
    if (!config) throw notFound('Customer');
    return ok(config);
  }),
];
