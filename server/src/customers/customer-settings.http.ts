import { notFound } from '../platform/errors.ts';
import { ok, route } from '../platform/http/handler.ts';
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

  route(contract.replaceCustomerRules, async ({ q, services, params, body }) => {
    const rules = await replaceCustomerRules(q, params.customer_id, body, services.clock());
    if (!rules) throw notFound('Customer');
    return ok(rules);
  }),

  route(contract.getCustomerConfig, async ({ q, params }) =>
    ok(await getCustomerConfig(q, params.customer_id)),
  ),

  route(contract.replaceCustomerConfig, async ({ q, services, params, body }) => {
    const config = await replaceCustomerConfig(q, params.customer_id, body, services.clock());
    if (!config) throw notFound('Customer');
    return ok(config);
  }),
];
