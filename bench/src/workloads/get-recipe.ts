import { sendExpecting } from '../call.ts';
import { ID_BASE, RECIPES_PER_TENANT, recipeId, tenantId } from '../data.ts';
import { checkRecipe, checkRefused, runScript } from './check.ts';
import { COLUMNS, RECIPE_ID, transaction } from './recipe-sql.ts';
import type { Workload } from './workload.ts';

const script = (readers: number) =>
  transaction(
    { from: 1, to: readers },
    `select ${COLUMNS} from recipes where id = ${RECIPE_ID} and deleted_at is null`,
  );

export const getRecipe: Workload = {
  name: 'get',
  title: 'Get one 2 KB recipe',
  check: async ({ base_url, dialect }) => {
    const [own, foreign] = [recipeId(2, 7), recipeId(3, 7)];
    const json = await sendExpecting(base_url, dialect.getRecipe(2, own), 200);
    checkRecipe(json, { id: own, tenant_id: tenantId(2) });
    await checkRefused(base_url, dialect.getRecipe(2, foreign), `Another tenant's recipe`);
    await checkRefused(
      base_url,
      { ...dialect.getRecipe(2, own), headers: {} },
      'A request without a credential',
    );
  },
  requests: ({ dialect }, { readers }) => {
    const calls = Array.from({ length: readers * RECIPES_PER_TENANT }, (_, index) => {
      // 7919 is prime: every recipe once, neighbours from different tenants.
      const number = (index * 7919) % (readers * RECIPES_PER_TENANT);
      const tenant = 1 + (number % readers);
      return dialect.getRecipe(tenant, recipeId(tenant, Math.floor(number / readers)));
    });
    return { calls, once: false };
  },
  script: ({ readers }) => script(readers),
  checkScript: async (world) => {
    const variables = { tenant: ID_BASE + 2, recipe: ID_BASE + 2007 };
    const [row] = await runScript(world, script(world.readers), variables);
    checkRecipe(row, { id: recipeId(2, 7) });
    const foreign = { tenant: ID_BASE + 2, recipe: ID_BASE + 3007 };
    if ((await runScript(world, script(world.readers), foreign)).length > 0) {
      throw new Error(`pgbench sees another tenant's recipe`);
    }
  },
};
