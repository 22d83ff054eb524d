import * as contract from '../contract/recipes.ts';
import {
  createRecipe,
  deleteRecipe,
  getRecipe,
  getRevision,
  listRevisions,
  restoreRevision,
  updateRecipe,
} from '../domain/recipes.ts';
import { created, noContent, ok, route } from './handler.ts';
import { page } from './page.ts';

export const recipeRoutes = [
  route(contract.listRecipes, async ({ q, services }) => ok(await services.recipeLists.list(q))),

  route(contract.createRecipe, async ({ q, body }) => created(await createRecipe(q, body, null))),

  route(contract.getRecipe, async ({ q, params }) => ok(await getRecipe(q, params.template_id))),

  route(contract.updateRecipe, async ({ q, params, body, services }) =>
    ok(await updateRecipe(q, params.template_id, body, services.clock())),
  ),

  route(contract.deleteRecipe, async ({ q, params, services }) => {
    await deleteRecipe(q, params.template_id, services.clock());
    return noContent();
  }),

  route(contract.listRecipeRevisions, async ({ q, params, query }) => {
    await getRecipe(q, params.template_id);
    return ok(await page(query, (...window) => listRevisions(q, params.template_id, ...window)));
  }),

  route(contract.getRecipeRevision, async ({ q, params }) =>
    ok(await getRevision(q, params.template_id, params.revision)),
  ),

  route(contract.restoreRecipeRevision, async ({ q, params, services }) =>
    ok(await restoreRevision(q, params.template_id, params.revision, services.clock())),
  ),
];
