import { ok, route } from '../platform/http/handler.ts';
import { page } from '../platform/http/page.ts';
import * as contract from './lists.contract.ts';
import {
  listAllInstances,
  listAllMessages,
  listAllModels,
  listAllRegions,
  listAllTasks,
  listAllTiers,
  listAuthorityKeys,
  listHosts,
  listOpenMessages,
} from './lists.db.ts';

const OPEN: ReadonlySet<string | undefined> = new Set(['pending', 'queued', 'dead', 'failed']);

const filterOf = <Status>({ tenant_id, status }: { tenant_id?: string; status?: Status }) => ({
  tenant_id: tenant_id ?? null,
  status: status ?? null,
});

export const operatorListRoutes = [
  route(contract.listAllTiers, async ({ system, query }) => ok(await page(system, query, listAllTiers))),

  route(contract.listAllRegions, async ({ system, query }) => ok(await page(system, query, listAllRegions))),

  route(contract.listAllModels, async ({ system, query }) => ok(await page(system, query, listAllModels))),

  route(contract.listHosts, async ({ system, query }) => ok(await page(system, query, listHosts))),

  route(contract.listAllInstances, async ({ system, query }) =>
    ok(
      await page(system, query, (...window) => {
        const { cluster_id = null } = query;
        return listAllInstances({ ...filterOf(query), cluster_id }, ...window);
      }),
    ),
  ),

  route(contract.listAllTasks, async ({ system, query }) =>
    ok(await page(system, query, (...window) => listAllTasks(filterOf(query), ...window))),
  ),

  route(contract.listAllMessages, async ({ system, query }) => {
    const list = OPEN.has(query.status) ? listOpenMessages : listAllMessages;
    return ok(await page(system, query, (...window) => list(filterOf(query), ...window)));
  }),

  route(contract.listAuthorityKeys, async ({ system, query }) =>
    ok(await page(system, query, listAuthorityKeys)),
  ),
];
