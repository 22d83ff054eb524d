import { sendExpecting } from '../call.ts';
import { ID_BASE, RECIPE, tenantId, WRITERS, writersAfter } from '../data.ts';
import { removeCreated } from '../seed.ts';
import { checkRecipe, runScript } from './check.ts';
import { COLUMNS, TENANT_ID, transaction } from './recipe-sql.ts';
import type { Workload } from './workload.ts';

const FIELDS = Object.keys(RECIPE).join(', ');
// pgbench takes a colon and a word for a variable, even in quotes. A space after each colon prevents it.
const VALUES = JSON.stringify(RECIPE, null, 1).replaceAll(/\n */g, '').replaceAll("'", "''");

const script = (readers: number) =>
  transaction(
    { from: readers + 1, to: readers + WRITERS },
    `insert into recipes (tenant_id, ${FIELDS}) select ${TENANT_ID}, ${FIELDS}
     from jsonb_populate_record(null::recipes, '${VALUES}'::jsonb) returning ${COLUMNS}`,
  );

/** Durable before the answer. The table's trigger writes the first revision. */
export const createRecipe: Workload = {
  name: 'create',
  title: 'Create one recipe',
  check: async ({ base_url, dialect }, { readers, admin }) => {
    const tenant = readers + 1;
    const made = await sendExpecting<{ id: string }>(base_url, dialect.createRecipe(tenant), 201);
    checkRecipe(made, { tenant_id: tenantId(tenant) });
    const { rows } = await admin.query('select from recipe_revisions where recipe_id = $1', [made.id]);
    // Fastify alone keeps nothing.
    const { rows: kept } = await admin.query('select from recipes where id = $1', [made.id]);
    if (rows.length !== kept.length) throw new Error('A recipe was made without its revision');
  },
  requests: ({ dialect }, { readers }) => ({
    calls: writersAfter(readers).map((tenant) => dialect.createRecipe(tenant)),
    once: false,
  }),
  script: ({ readers }) => script(readers),
  checkScript: async (world) => {
    const tenant = world.readers + 1;
    const [row] = await runScript(world, script(world.readers), { tenant: ID_BASE + tenant });
    checkRecipe(row, { tenant_id: tenantId(tenant) });
  },
  reset: ({ admin, readers }) => removeCreated(admin, readers),
};
