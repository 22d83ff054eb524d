import { customerExists } from '../customers/customers.db.ts';
import { ok, route } from '../platform/http/handler.ts';
import { page } from '../platform/http/page.ts';
import { recipeExists } from '../recipes/recipes.db.ts';
import * as contract from './lists.contract.ts';
import * as db from './lists.db.ts';

/** Lists as language models read them: summaries in pages, in place of the operations of the same name. */
export const listToolRoutes = [
  route(contract.searchRecipes, async ({ q, query }) =>
    ok(await page(q, query, (...window) => db.recipeSummaries(query.search, ...window))),
  ),

  route(contract.summarizeRevisions, async ({ q, params: { template_id }, query }) => {
    const list = (limit: number, offset: number) => db.revisionSummaries(template_id, limit, offset);
    return ok(await page(q, query, list, recipeExists(template_id)));
  }),

  route(contract.searchCustomers, async ({ q, query }) => {
    const list = (limit: number, offset: number) => db.customerSummaries(query.search, limit, offset);
    const { items, ...position } = await page(q, query, list);
    const total_pages = Math.ceil(position.total / position.per_page);
    return ok({ customers: items, ...position, total_pages });
  }),

  route(contract.searchInstances, async ({ q, query }) =>
    ok(await page(q, query, (...window) => db.instanceSummaries(query, ...window))),
  ),

  route(contract.searchConnections, async ({ q, params: { customer_id }, query }) => {
    const list = (limit: number, offset: number) =>
      db.connectionSummaries(customer_id, query.search, limit, offset);
    return ok(await page(q, query, list, customerExists(customer_id)));
  }),

  route(contract.searchChannelEndpoints, async ({ q, query }) =>
    ok(await page(q, query, (...window) => db.endpointSummaries(query.search, ...window))),
  ),

  route(contract.searchPrimitives, async ({ q, query }) =>
    ok(await page(q, query, (...window) => db.primitiveSummaries(query, ...window))),
  ),

  route(contract.searchModels, async ({ system, query }) =>
    ok(await page(system, query, (...window) => db.modelSummaries(query, ...window))),
  ),
];
