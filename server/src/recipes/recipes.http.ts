import { abortOnDisconnect, created, noContent, ok, route } from '../platform/http/handler.ts';
import { pageOf } from '../platform/http/page.ts';
import { JsonList } from '../platform/json/json-list.ts';
import type { Services } from '../services.ts';
import * as contract from './recipes.contract.ts';
import {
  createRecipe,
  deleteRecipe,
  getRecipe,
  getRevision,
  listRevisions,
  readRevisions,
  restoreRevision,
  updateRecipe,
} from './recipes.ts';

export const recipeRoutes = [
  route(contract.listRecipes, async ({ q }, services: Services) => ok(await services.recipeLists.list(q))),

  route(contract.createRecipe, async ({ q, body }) => created(await createRecipe(q, body, null))),

  route(contract.getRecipe, async ({ q, params }) => ok(await getRecipe(q, params.template_id))),

  route(contract.updateRecipe, async ({ q, params, body }, services: Services) =>
    ok(await updateRecipe(q, params.template_id, body, services.clock())),
  ),

  route(contract.deleteRecipe, async ({ q, params }, services: Services) => {
    await deleteRecipe(q, params.template_id, services.clock());
    return noContent();
  }),

  route(contract.listRecipeRevisions, async ({ q, params, query }) => {
    const { template_id } = params;
    const { items, ...rest } = await pageOf(query, (...window) => listRevisions(q, template_id, ...window));
    return ok(JsonList.page(items.length, () => readRevisions(q, template_id, items), rest));
  }),

  route(contract.getRecipeRevision, async ({ q, params }) =>
    ok(await getRevision(q, params.template_id, params.revision)),
  ),

  route(contract.restoreRecipeRevision, async ({ q, params, reply }, services: Services) => {
    const call = { q, services, signal: abortOnDisconnect(reply) };
    return ok(await restoreRevision(call, params.template_id, params.revision, services.clock()));
  }),
];
