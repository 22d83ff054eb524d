import { deepStrictEqual } from 'node:assert/strict';
import { type Call, sendExpecting } from '../call.ts';
import { costOf } from '../cost.ts';
import { apiKey, RECIPE, RECIPES_PER_TENANT, recipeId, writersAfter } from '../data.ts';
import { restDialect } from '../dialect.ts';
import { wrk } from '../load/wrk.ts';
import { figure, row } from '../report.ts';
import { removeCreated } from '../seed.ts';
import { median } from '../statistics.ts';
import { toolCall } from '../tool-call.ts';
import type { World } from '../world.ts';
import type { Study } from './study.ts';

/** The same operation asked both ways, with the same keys. */
interface Pair {
  name: string;
  rest: readonly Call[];
  mcp: readonly Call[];
  /** Over REST. */
  status: 200 | 201;
}

/** A window of one of the two ways. */
interface Asked {
  requests_per_s: number;
  p50_ms: number;
  cpu_us: number;
  postgres_cpu_us: number;
}

const WAYS = ['rest', 'mcp'] as const;
type Round = Record<(typeof WAYS)[number], Asked>;

/** What it costs to be asked as a tool: the protocol, and the row that each call leaves. */
export const mcp: Study = {
  name: 'mcp',
  title: 'Tools called over MCP, and the same operations over REST',
  check: async (world) => {
    for (const pair of pairsOf(world)) await checkPair(world, pair);
  },
  run: async (world, { repeats, seconds, connections }) => {
    const pairs = pairsOf(world);
    for (const pair of pairs) for (const way of WAYS) await ask(world, pair[way], 10, 5);
    const lines: string[] = [];
    for (const pair of pairs) {
      for (const count of connections) {
        const rounds: Round[] = [];
        for (let repeat = 0; repeat < repeats; repeat++) {
          const [rest, tools] = [
            await ask(world, pair.rest, count, seconds),
            await ask(world, pair.mcp, count, seconds),
          ];
          rounds.push({ rest, mcp: tools });
          if (pair.status === 201) await removeCreated(world.admin, world.readers);
        }
        lines.push(row([pair.name, String(count), ...cellsOf(rounds)]));
      }
    }
    const columns = ['REST/s', 'MCP/s', 'MCP ÷ REST', 'p50 ms', 'MCP’s', 'CPU µs each', 'MCP’s'];
    const names = ['operation', 'connections', ...columns, 'PostgreSQL’s', 'for MCP'];
    return [row(names), row(names.map((_, index) => (index === 0 ? '---' : '--:'))), ...lines];
  },
};

/** What is not the same of two recipes that were created by the same words. */
const OWN = { id: '', created_at: '', updated_at: '' };

/**
 * Two of the recipes of each tenant; each tenant's primitives, an answer of next to nothing; and a recipe that is
 * created, which has to reach the disk over REST, too.
 */
function pairsOf({ readers }: World): Pair[] {
  const tenants = Array.from({ length: readers }, (_, index) => 1 + index);
  const writers = writersAfter(readers);
  const recipes = [0, RECIPES_PER_TENANT - 1].flatMap((number) =>
    tenants.map((tenant) => ({ tenant, id: recipeId(tenant, number) })),
  );
  return [
    {
      name: 'get_recipe',
      status: 200,
      rest: recipes.map(({ tenant, id }) => restDialect.getRecipe(tenant, id)),
      mcp: recipes.map(({ tenant, id }) => toolCall(tenant, 'get_recipe', { template_id: id })),
    },
    {
      name: 'list_primitives',
      status: 200,
      rest: tenants.map((tenant) => ({
        method: 'GET',
        path: '/v1/primitives',
        headers: { 'x-api-key': apiKey(tenant) },
      })),
      mcp: tenants.map((tenant) => toolCall(tenant, 'list_primitives', {})),
    },
    {
      name: 'create_recipe',
      status: 201,
      rest: writers.map((tenant) => restDialect.createRecipe(tenant)),
      mcp: writers.map((tenant) => toolCall(tenant, 'create_recipe', RECIPE)),
    },
  ];
}

/** Rejects unless the tool answers what REST does, and leaves its row. */
async function checkPair({ service, admin }: World, { name, status, rest, mcp: calls }: Pair): Promise<void> {
  const countRows = async () => (await admin.query('select from tool_calls')).rows.length;
  const before = await countRows();
  const body = await sendExpecting<object>(service.base_url, rest[0] as Call, status);
  const called = await sendExpecting<{ result: { structuredContent?: object } }>(
    service.base_url,
    calls[0] as Call,
    200,
  );
  const [expected, got] = [Array.isArray(body) ? { items: body } : body, called.result.structuredContent];
  if (status === 200) deepStrictEqual(got, expected);
  else deepStrictEqual({ ...got, ...OWN }, { ...expected, ...OWN });
  if ((await countRows()) !== before + 1) throw new Error(`A call of ${name} was not written down`);
}

/** After a second that nobody looks at. */
async function ask(
  world: World,
  calls: readonly Call[],
  connections: number,
  seconds: number,
): Promise<Asked> {
  const { directory, service } = world;
  const order = { base_url: service.base_url, calls, once: false, connections, directory };
  await wrk({ ...order, seconds: 1 });
  const { result, cpu_ms, postgres_cpu_ms } = await costOf(world, service.pid, () =>
    wrk({ ...order, seconds }),
  );
  const { requests, requests_per_s, p50_ms } = result;
  const each = (ms: number) => (ms * 1000) / requests;
  return { requests_per_s, p50_ms, cpu_us: each(cpu_ms), postgres_cpu_us: each(postgres_cpu_ms) };
}

function cellsOf(rounds: readonly Round[]): string[] {
  const both = (name: keyof Asked) =>
    WAYS.map((way) => figure(median(rounds.map(({ [way]: one }) => one[name]))));
  const ratio = median(rounds.map(({ rest, mcp: tools }) => tools.requests_per_s / rest.requests_per_s));
  return [
    ...both('requests_per_s'),
    figure(ratio),
    ...(['p50_ms', 'cpu_us', 'postgres_cpu_us'] as const).flatMap(both),
  ];
}
