import { ok, route } from '../platform/http/handler.ts';
import { pageOf } from '../platform/http/page.ts';
import type { Services } from '../services.ts';
import * as contract from './tool-calls.contract.ts';
import { listToolCalls, verifyToolCalls } from './tool-calls.ts';

export const toolCallRoutes = [
  route(contract.listToolCalls, async ({ q, query }) => {
    const { tool = null, decision = null, key_id = null, from = null, to = null } = query;
    const filter = { tool, decision, key_id, from, to };
    return ok(await pageOf(query, (...window) => listToolCalls(q, filter, ...window)));
  }),

  route(contract.verifyToolCalls, async ({ q }, services: Services) =>
    ok(await verifyToolCalls(services.keyring, q)),
  ),
];
