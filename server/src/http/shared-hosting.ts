import * as contract from '../contract/shared-hosting.ts';
import { resolveDomain, withMergedConfig } from '../domain/shared-hosting.ts';
import { ok, route, untilGone } from './handler.ts';
import { largeJson } from './large-json.ts';

export const sharedHostingRoutes = [
  route(contract.getMergedConfig, ({ q, services, params, query, reply }) => {
    const call = { q, services, signal: untilGone(reply) };
    return withMergedConfig(call, params.instance_id, query.customer_id, async (merged) =>
      ok(await largeJson(merged)),
    );
  }),

  route(contract.resolveDomain, async ({ q, params, query }) =>
    ok(await resolveDomain(q, params.instance_id, query.hostname)),
  ),
];
