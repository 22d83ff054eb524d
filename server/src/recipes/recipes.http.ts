import { found } from '../platform/errors.ts';
import { created, noContent, ok, route } from '../platform/http/handler.ts';
import { page } from '../platform/http/page.ts';
import { JsonList } from '../platform/json/json-list.ts';
import { listRecipeSummaries } from './recipe-lists.db.ts';
import type { RecipeLists } from './recipe-lists.ts';
import * as contract from './recipes.contract.ts';
import { findRecipeJson, findRevisionJson, listRevisionNumbers, recipeExists } from './recipes.db.ts';
import { createRecipe, deleteRecipe, readRevisions, restoreRevision, updateRecipe } from './recipes.ts';

export const recipeRoutes = [
  route(contract.listRecipes, async ({ q, query }, { recipeLists }: { recipeLists: RecipeLists }) =>
    ok(
      query.view === 'summary'
        ? await q.run(listRecipeSummaries(query.search))
        : await recipeLists.list(q, query.search),
    ),
  ),

  route(contract.createRecipe, async ({ q, body }) => created(await createRecipe(q, body, null))),

  route(contract.getRecipe, async ({ q, params }) =>
    ok(found('Recipe', await q.run(findRecipeJson(params.template_id)))),
  ),

  route(contract.updateRecipe, async ({ q, params, body }) =>
    ok(await updateRecipe(q, params.template_id, body, body.expect_revision ?? null)),
  ),

  route(contract.deleteRecipe, async ({ q, params }) => {
    await deleteRecipe(q, params.template_id);
    return noContent();
  }),

  route(contract.listRecipeRevisions, async ({ q, params: { template_id }, query }) => {
    const list = (limit: number, offset: number) => listRevisionNumbers(template_id, limit, offset);
    const { items, ...position } = await page(q, query, list, recipeExists(template_id));
    return ok(JsonList.page(position, items.length, () => readRevisions(q, template_id, items)));
  }),

  route(contract.getRecipeRevision, async ({ q, params: { template_id, revision } }) =>
    ok(found('Recipe revision', await q.run(findRevisionJson(template_id, revision)))),
  ),

  route(contract.restoreRecipeRevision, async ({ q, params: { template_id, revision }, body }) =>
    ok(await restoreRevision(q, template_id, revision, body.expect_revision ?? null)),
  ),
];
