import { deepStrictEqual } from 'node:assert/strict';
import { sendExpecting } from '../call.ts';
import { ID_BASE, RECIPES_PER_TENANT, recipeId, tenantId } from '../data.ts';
import { checkRecipe, runScript } from './check.ts';
import { COLUMNS, transaction } from './recipe-sql.ts';
import type { Workload } from './workload.ts';

const script = (readers: number) =>
  transaction(
    { from: 1, to: readers },
    `select ${COLUMNS} from recipes where deleted_at is null order by is_platform_template, created_at desc, id`,
  );

export const listRecipes: Workload = {
  name: 'list',
  title: `List ${RECIPES_PER_TENANT} recipes`,
  check: async ({ base_url, dialect }) => {
    checkList(await sendExpecting<{ id: string }[]>(base_url, dialect.listRecipes(3), 200), 3);
  },
  requests: ({ dialect }, { readers }) => ({
    calls: Array.from({ length: readers }, (_, index) => dialect.listRecipes(1 + index)),
    once: false,
  }),
  script: ({ readers }) => script(readers),
  checkScript: async (world) => {
    const rows = await runScript(world, script(world.readers), { tenant: ID_BASE + 3 });
    checkList(rows as { id: string }[], 3);
  },
};

function checkList(rows: { id: string }[], tenant: number): void {
  const numbers = Array.from({ length: RECIPES_PER_TENANT }, (_, number) => number).toReversed();
  deepStrictEqual(
    rows.map(({ id }) => id),
    numbers.map((number) => recipeId(tenant, number)),
  );
  for (const row of rows) checkRecipe(row, { tenant_id: tenantId(tenant) });
}
