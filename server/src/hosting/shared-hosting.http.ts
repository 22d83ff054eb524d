import { abortOnDisconnect, ok, route } from '../platform/http/handler.ts';
import { largeJson } from '../platform/http/large-json.ts';
import type { Services } from '../services.ts';
import * as contract from './shared-hosting.contract.ts';
import { resolveDomain, withMergedConfig } from './shared-hosting.ts';

export const sharedHostingRoutes = [
  route(contract.getMergedConfig, ({ q, params, query, reply }, services: Services) => {
    const call = { q, services, signal: abortOnDisconnect(reply) };
    return withMergedConfig(call, params.instance_id, query.customer_id, async (merged) =>
      ok(await largeJson(merged)),
    );
  }),

  route(contract.resolveDomain, async ({ q, params, query }) =>
    ok(await resolveDomain(q, params.instance_id, query.hostname)),
  ),
];
