import * as contract from '../contract/shared-hosting.ts';
import { mergedConfig, resolveDomain } from '../domain/shared-hosting.ts';
import { ok, route } from './handler.ts';

export const sharedHostingRoutes = [
  route(contract.getMergedConfig, async ({ q, services, params, query }) =>
    ok(await mergedConfig(q, services.keyring, params.instance_id, query.customer_id)),
  ),

  route(contract.resolveDomain, async ({ q, params, query }) =>
    ok(await resolveDomain(q, params.instance_id, query.hostname)),
  ),
];
