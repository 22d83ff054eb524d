import { found } from '../platform/errors.ts';
import { noContent, ok, route } from '../platform/http/handler.ts';
import { page } from '../platform/http/page.ts';
import * as contract from './llm-providers.contract.ts';
import {
  deleteProvider,
  deleteTenantProvider,
  findProvider,
  findTenantProvider,
  listProviders,
  listTenantProviders,
} from './llm-providers.db.ts';
import {
  checkProvider,
  checkTenantProvider,
  type ProviderServices,
  saveProvider,
  saveTenantProvider,
} from './llm-providers.ts';
import { listModelsOf, listModelsOfTenants } from './provider-models.ts';

export const llmProviderRoutes = [
  route(contract.listLlmProviders, async ({ system, query }) => ok(await page(system, query, listProviders))),

  route(contract.getLlmProvider, async ({ system, params }) =>
    ok(found('Provider', await system.run(findProvider(params.slug)))),
  ),

  route(contract.putLlmProvider, async ({ system, params, body }, services: ProviderServices) =>
    ok(await saveProvider(services, system, params.slug, body)),
  ),

  route(contract.deleteLlmProvider, async ({ system, params }) => {
    found('Provider', await system.run(deleteProvider(params.slug)));
    return noContent();
  }),

  route(contract.checkLlmProvider, async ({ system, params }, services: ProviderServices) =>
    ok(await checkProvider(services, system, params.slug)),
  ),

  route(contract.listLlmProviderModels, async ({ system, params }, services: ProviderServices) =>
    ok({ items: await listModelsOf(services, system, params.slug) }),
  ),

  route(contract.listTenantLlmProviders, async ({ q, query }) =>
    ok(await page(q, query, listTenantProviders)),
  ),

  route(contract.getTenantLlmProvider, async ({ q, params }) =>
    ok(found('Provider', await q.run(findTenantProvider(params.slug)))),
  ),

  route(contract.putTenantLlmProvider, async ({ q, params, body }, services: ProviderServices) =>
    ok(await saveTenantProvider(services, q, params.slug, body)),
  ),

  route(contract.deleteTenantLlmProvider, async ({ q, params }) => {
    found('Provider', await q.run(deleteTenantProvider(params.slug)));
    return noContent();
  }),

  route(contract.checkTenantLlmProvider, async ({ q, params }, services: ProviderServices) =>
    ok(await checkTenantProvider(services, q, params.slug)),
  ),

  route(contract.listTenantLlmProviderModels, async ({ q, params }, services: ProviderServices) =>
    ok({ items: await listModelsOfTenants(services, q, params.slug) }),
  ),
];
