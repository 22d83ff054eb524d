import { ok, route } from '../platform/http/handler.ts';
import { page } from '../platform/http/page.ts';
import { changeTable } from './chain-table.ts';
import { verifyChain } from './chain-verification.ts';
import * as contract from './changes.contract.ts';
import { listChanges } from './changes.db.ts';
import { type ChangeServices, chainChanges } from './changes.ts';

export const changeRoutes = [
  route(contract.listChanges, async ({ q, query }) => {
    const { operation = null, actor_kind = null, actor_id = null, resource_id = null } = query;
    const { from = null, to = null } = query;
    const filter = { operation, actor_kind, actor_id, resource_id, from, to };
    return ok(await page(q, query, (...window) => listChanges(filter, ...window)));
  }),

  route(contract.verifyChanges, async ({ q }, services: ChangeServices) => {
    await chainChanges(services, q);
    return ok(await verifyChain(services.keyring, q, changeTable));
  }),
];
