import pg from 'pg';
import { RECIPES_PER_TENANT, recipeId } from '../data.ts';
import { restDialect } from '../dialect.ts';
import { wrk } from '../load/wrk.ts';
import { figure, row } from '../report.ts';
import { insertRecipes, insertTenants, settle } from '../seed.ts';
import { newInstallation, type RunningService, startService } from '../service.ts';
import { median } from '../statistics.ts';
import { createDatabase, type World } from '../world.ts';
import type { Study } from './study.ts';

const SIZES = [10, 1000, 100_000];
const CONNECTIONS = 10;
/** The other tenants have one recipe each. */
const ASKED = 10;

/** One database per size, measured in turn. */
export const growth: Study = {
  name: 'growth',
  title: `Get and list at ${CONNECTIONS} connections as the number of tenants grows`,
  run: async (world, { repeats, seconds }) => {
    const services: RunningService[] = [];
    try {
      for (const size of SIZES) services.push(await openDatabase(world, size));
      const times: Record<'get' | 'list', number[][]> = { get: [], list: [] };
      for (let repeat = 0; repeat < repeats; repeat++) {
        for (const [kind, calls] of Object.entries(callsOf) as ['get' | 'list', typeof callsOf.get][]) {
          const round: number[] = [];
          for (const { base_url } of services) {
            const order = {
              base_url,
              calls,
              once: false,
              connections: CONNECTIONS,
              directory: world.directory,
            };
            await wrk({ ...order, seconds: 1 });
            round.push((await wrk({ ...order, seconds })).p50_ms);
          }
          times[kind].push(round);
        }
      }
      return table(times);
    } finally {
      for (const service of services) await service.stop();
    }
  },
};

const asked = Array.from({ length: ASKED }, (_, index) => 1 + index);
const callsOf = {
  get: asked.map((tenant) => restDialect.getRecipe(tenant, recipeId(tenant, 3))),
  list: asked.map((tenant) => restDialect.listRecipes(tenant)),
};

async function openDatabase(world: World, size: number): Promise<RunningService> {
  const name = `growth_${size}`;
  const url = await createDatabase(world.postgres, name);
  const service = await startService(newInstallation(world.directory, url), name);
  const admin = new pg.Client({ connectionString: world.postgres.urlOf('postgres', name) });
  await admin.connect();
  try {
    await admin.query('update recipes set deleted_at = now() where is_platform_template');
    await insertTenants(admin, 1, size);
    await insertRecipes(admin, 1, ASKED, RECIPES_PER_TENANT);
    await insertRecipes(admin, ASKED + 1, size, 1);
    await settle(admin);
  } finally {
    await admin.end();
  }
  return service;
}

const table = (times: Record<'get' | 'list', number[][]>) => [
  `| tenants | get: p50 ms | ÷ ${SIZES[0]} tenants | list: p50 ms | ÷ ${SIZES[0]} tenants |`,
  '| --: | --: | --: | --: | --: |',
  ...SIZES.map((size, index) => {
    const cells = (['get', 'list'] as const).flatMap((kind) => {
      const own = times[kind].map((round) => round[index] ?? Number.NaN);
      const ratios = times[kind].map((round) => (round[index] ?? Number.NaN) / (round[0] ?? Number.NaN));
      return [figure(median(own)), figure(median(ratios))];
    });
    return row([String(size), ...cells]);
  }),
];
