import { ok, route } from '../platform/http/handler.ts';
import type { Keyring } from '../secrets/keyring.ts';
import * as contract from './shared-hosting.contract.ts';
import { readMergedConfig, resolveDomain } from './shared-hosting.ts';

export const sharedHostingRoutes = [
  route(contract.getMergedConfig, async ({ q, params, query }, services: { keyring: Keyring }) =>
    ok(await readMergedConfig(services, q, params.instance_id, query.customer_id)),
  ),

  route(contract.resolveDomain, async ({ q, params, query }) =>
    ok(await resolveDomain(q, params.instance_id, query.hostname)),
  ),
];
