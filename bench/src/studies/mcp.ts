import { deepStrictEqual } from 'node:assert/strict';
import { join } from 'node:path';
import { type Call, isAnswered, sendExpecting } from '../call.ts';
import { costOf } from '../cost.ts';
import { apiKey, RECIPE, RECIPES_PER_TENANT, recipeId, writersAfter } from '../data.ts';
import { restDialect } from '../dialect.ts';
import { wrk } from '../load/wrk.ts';
import type { Options } from '../options.ts';
import { freePort } from '../ports.ts';
import { Process } from '../processes.ts';
import { figure, row } from '../report.ts';
import { removeCreated } from '../seed.ts';
import { median } from '../statistics.ts';
import { toolCall } from '../tool-call.ts';
import type { World } from '../world.ts';
import type { Study } from './study.ts';

interface Pair {
  name: string;
  rest: readonly Call[];
  mcp: readonly Call[];
  status: 200 | 201;
}

interface Figures {
  requests_per_s: number;
  p50_ms: number;
  cpu_us: number;
  postgres_cpu_us: number;
}

interface Target {
  base_url: string;
  pid: number;
}

/** The library is compiled only after some ten thousand calls. */
const COMPILE_WINDOW = { connections: 64, seconds: 15 };

const WAYS = ['rest', 'mcp', 'bare'] as const;
type Round = Record<(typeof WAYS)[number], Figures>;

/** A bare server of the same library with an empty tool shows the protocol's own limit. */
export const mcp: Study = {
  name: 'mcp',
  title: 'Tools called over MCP, the same operations over REST, and a bare server of the MCP library',
  check: async (world) => {
    for (const pair of pairsOf(world)) await checkPair(world, pair);
  },
  run: async (world, options) => {
    const bare = await startBare(world);
    try {
      return await compare(world, bare, options);
    } finally {
      await bare.stop();
    }
  },
};

async function compare(
  world: World,
  bare: Target,
  { repeats, seconds, connections }: Options,
): Promise<string[]> {
  const { service } = world;
  const pairs = pairsOf(world);
  const emptyCalls = [toolCall(1, 'nothing', {})];
  const measureRound = async (pair: Pair, count: number, length: number): Promise<Round> => ({
    rest: await measure(world, service, pair.rest, count, length),
    mcp: await measure(world, service, pair.mcp, count, length),
    bare: await measure(world, bare, emptyCalls, count, length),
  });
  for (const pair of pairs) await measureRound(pair, COMPILE_WINDOW.connections, COMPILE_WINDOW.seconds);
  await removeCreated(world.admin, world.readers);
  const lines: string[] = [];
  for (const pair of pairs) {
    for (const count of connections) {
      const rounds: Round[] = [];
      for (let repeat = 0; repeat < repeats; repeat++) {
        rounds.push(await measureRound(pair, count, seconds));
        if (pair.status === 201) await removeCreated(world.admin, world.readers);
      }
      lines.push(row([pair.name, String(count), ...cellsOf(rounds)]));
    }
  }
  const columns = ['REST/s', 'MCP/s', 'bare/s', 'MCP ÷ REST', 'MCP ÷ bare'];
  const costs = ['p50 ms', 'MCP’s', 'bare', 'CPU µs each', 'MCP’s', 'bare', 'PostgreSQL’s', 'for MCP'];
  const names = ['operation', 'connections', ...columns, ...costs];
  return [row(names), row(names.map((_, index) => (index === 0 ? '---' : '--:'))), ...lines];
}

async function startBare({ directory }: World): Promise<Target & { stop(): Promise<void> }> {
  const port = await freePort();
  const program = new Process({
    command: process.execPath,
    args: [join(import.meta.dirname, '../bare-mcp-server.js')],
    environment: { NODE_ENV: 'production', PORT: String(port) },
    log: join(directory, 'bare-mcp.log'),
  });
  const base_url = `http://127.0.0.1:${port}`;
  await program.ready(() => isAnswered(base_url, toolCall(1, 'nothing', {})));
  return { base_url, pid: program.pid, stop: () => program.stop() };
}

/** They differ even between recipes with the same content. */
const OWN = { id: '', created_at: '', updated_at: '' };

/** `list_primitives` has a nearly empty answer, and `create_recipe` also writes over REST. */
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

/** Rejects unless the tool answers as REST does and leaves its row. */
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
  if ((await countRows()) !== before + 1) throw new Error(`A call of ${name} left no row`);
}

async function measure(
  world: World,
  { base_url, pid }: Target,
  calls: readonly Call[],
  connections: number,
  seconds: number,
): Promise<Figures> {
  const order = { base_url, calls, once: false, connections, directory: world.directory };
  await wrk({ ...order, seconds: 1 });
  const { result, cpu_ms, postgres_cpu_ms } = await costOf(world, pid, () => wrk({ ...order, seconds }));
  const { requests, requests_per_s, p50_ms } = result;
  const each = (ms: number) => (ms * 1000) / requests;
  return { requests_per_s, p50_ms, cpu_us: each(cpu_ms), postgres_cpu_us: each(postgres_cpu_ms) };
}

function cellsOf(rounds: readonly Round[]): string[] {
  const medianOf = (read: (round: Round) => number) => figure(median(rounds.map(read)));
  const ofAll = (name: keyof Figures) => WAYS.map((way) => medianOf((round) => round[way][name]));
  const ratioTo = (way: 'rest' | 'bare') =>
    medianOf((round) => round.mcp.requests_per_s / round[way].requests_per_s);
  // The bare server has no database.
  const [ofRest = '', ofMcp = ''] = ofAll('postgres_cpu_us');
  return [
    ...ofAll('requests_per_s'),
    ratioTo('rest'),
    ratioTo('bare'),
    ...ofAll('p50_ms'),
    ...ofAll('cpu_us'),
    ofRest,
    ofMcp,
  ];
}
