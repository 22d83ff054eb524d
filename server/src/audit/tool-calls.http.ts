import { ok, route } from '../platform/http/handler.ts';
import { page } from '../platform/http/page.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { toolCallTable } from './chain-table.ts';
import { verifyChain } from './chain-verification.ts';
import * as contract from './tool-calls.contract.ts';
import { listToolCalls } from './tool-calls.db.ts';

export const toolCallRoutes = [
  route(contract.listToolCalls, async ({ q, query }) => {
    const { tool = null, decision = null, key_id = null, from = null, to = null } = query;
    const filter = { tool, decision, key_id, from, to };
    return ok(await page(q, query, (...window) => listToolCalls(filter, ...window)));
  }),

  route(contract.verifyToolCalls, async ({ q }, { keyring }: { keyring: Keyring }) =>
    ok(await verifyChain(keyring, q, toolCallTable)),
  ),
];
