import { found } from '../platform/errors.ts';
import { ok, route } from '../platform/http/handler.ts';
import * as contract from './customer-settings.contract.ts';
import {
  findCustomerConfig,
  findCustomerRules,
  replaceCustomerConfig,
  replaceCustomerRules,
} from './customer-settings.db.ts';
import { replaceSettings } from './customer-settings.ts';

const rules = { find: findCustomerRules, replace: replaceCustomerRules };
const config = { find: findCustomerConfig, replace: replaceCustomerConfig };

export const customerSettingRoutes = [
  route(contract.getCustomerRules, async ({ q, params }) =>
    ok(found('Customer', await q.run(findCustomerRules(params.customer_id)))),
  ),

  route(contract.replaceCustomerRules, async ({ q, params, body }) =>
    ok(await replaceSettings(q, params.customer_id, rules, body)),
  ),

  route(contract.getCustomerConfig, async ({ q, params }) =>
    ok(found('Customer', await q.run(findCustomerConfig(params.customer_id)))),
  ),

  route(contract.replaceCustomerConfig, async ({ q, params, body }) =>
    ok(await replaceSettings(q, params.customer_id, config, body)),
  ),
];
