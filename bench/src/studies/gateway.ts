import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { begin, type Call, isAnswered, jsonCall, send, sendExpecting } from '../call.ts';
import { sha256 } from '../data.ts';
import { createCustomer, createTenant, insertInstance, type Place, tenantCall } from '../fixtures.ts';
import type { Options } from '../options.ts';
import { freePort } from '../ports.ts';
import { Process } from '../processes.ts';
import { figure, row } from '../report.ts';
import { type RunningService, startService } from '../service.ts';
import { median } from '../statistics.ts';
import type { World } from '../world.ts';
import type { Study } from './study.ts';

const INSTANCES = 13;
const STREAMS = 50;
/** From the catalogue, so that calls have a price. */
const MODEL = 'gpt-5-mini';
const AT_ONCE = 100;
/** Has room for some calls by their reservations, and for all by their usage. */
const BUDGET_TOKENS = 40_000;
const MAX_TOKENS = 1000;
const MESSAGES = [{ role: 'user', content: 'Who works on Monday? '.repeat(20) }];

interface Target {
  base_url: string;
  calls: (body: object) => Call[];
}

interface Targets {
  direct: Target;
  gateway: Target;
}

interface Rig extends Targets {
  place: Place;
  tenant_id: string;
  limit: (monthly_tokens: number) => Promise<unknown>;
  stop: () => Promise<void>;
}

/** The same fake model, directly and through the gateway. */
export const gateway: Study = {
  name: 'gateway',
  title: `The model gateway: ${STREAMS} streams and single calls for ${INSTANCES} instances of a customer, directly and through it`,
  run: async (world, options) => {
    const rig = await startRig(world);
    try {
      return [...(await compare(rig, options)), '', ...(await spend(world, rig))];
    } finally {
      await rig.stop();
    }
  },
};

async function startRig(world: World): Promise<Rig> {
  const port = await freePort();
  const model = new Process({
    command: process.execPath,
    args: [join(import.meta.dirname, '../fake-model-server.js')],
    environment: { NODE_ENV: 'production', PORT: String(port) },
    log: join(world.directory, 'fake-model.log'),
  });
  const base_url = `http://127.0.0.1:${port}`;
  await model.ready(() => isAnswered(base_url, { method: 'GET', path: '/v1/models' }));
  const environment = { LLM_BASE_URL: `${base_url}/v1`, LLM_API_KEY: 'a key', LLM_MODEL: MODEL };
  const service = await startService(world.installation, 'gateway', { environment });
  const stop = async () => {
    await service.stop();
    await model.stop();
  };
  return { ...(await fill(world, service, base_url)), stop };
}

const ask = (path: string, key: string, body: object) =>
  jsonCall('POST', path, { authorization: `Bearer ${key}` }, { model: MODEL, messages: MESSAGES, ...body });

async function fill(
  { admin, installation }: World,
  service: RunningService,
  model_url: string,
): Promise<Omit<Rig, 'stop'>> {
  const place: Place = { admin, installation, base_url: service.base_url };
  const tenant = await createTenant(place);
  const customer_id = await createCustomer(place, tenant);
  const instances: { id: string; key: string }[] = [];
  for (let number = 0; number < INSTANCES; number++) {
    const [id, key] = [await insertInstance(place, tenant, customer_id), `alk_${randomUUID()}`];
    await admin.query('insert into llm_keys (instance_id, tenant_id, key_hash) values ($1, $2, $3)', [
      id,
      tenant.id,
      sha256(key),
    ]);
    instances.push({ id, key });
  }
  return {
    place,
    tenant_id: tenant.id,
    direct: { base_url: model_url, calls: (body) => [ask('/v1/chat/completions', 'a key', body)] },
    gateway: {
      base_url: service.base_url,
      calls: (body) =>
        instances.map(({ id, key }) => ask(`/internal/v1/instances/${id}/llm/chat/completions`, key, body)),
    },
    limit: (monthly_tokens) =>
      sendExpecting(
        service.base_url,
        tenantCall(tenant, 'PUT', `/v1/customers/${customer_id}/budget`, { monthly_tokens }),
        200,
      ),
  };
}

interface Times {
  first: number[];
  whole: number[];
}

async function compare(rig: Rig, { repeats, seconds }: Options): Promise<string[]> {
  const kinds = [
    { name: `${STREAMS} streams: first byte`, stream: true, clients: STREAMS, pick: 'first' },
    { name: '10 calls at once: whole answer', stream: false, clients: 10, pick: 'whole' },
    { name: '1 call at a time: whole answer', stream: false, clients: 1, pick: 'whole' },
  ] as const;
  const lines: string[] = [];
  for (const { name, stream, clients, pick } of kinds) {
    const measureTarget = async (target: Target, length: number) =>
      (await callRepeatedly(target, { stream, max_tokens: MAX_TOKENS }, clients, length))[pick];
    for (const target of [rig.direct, rig.gateway]) await measureTarget(target, 2);
    const rounds: Record<keyof Targets, number[]>[] = [];
    for (let repeat = 0; repeat < repeats; repeat++) {
      const direct = await measureTarget(rig.direct, seconds);
      rounds.push({ direct, gateway: await measureTarget(rig.gateway, seconds) });
    }
    lines.push(row([name, ...cellsOf(rounds)]));
  }
  const columns = ['direct p50 ms', 'p95', 'gateway p50 ms', 'p95', 'added at p50', 'at p95', 'calls'];
  return [row(['what', ...columns]), row(['---', ...columns.map(() => '--:')]), ...lines];
}

function cellsOf(rounds: readonly Record<keyof Targets, number[]>[]): string[] {
  const of = (read: (round: (typeof rounds)[number]) => number) => figure(median(rounds.map(read)));
  const [p50, p95] = [(times: number[]) => quantile(times, 0.5), (times: number[]) => quantile(times, 0.95)];
  return [
    of(({ direct }) => p50(direct)),
    of(({ direct }) => p95(direct)),
    of((round) => p50(round.gateway)),
    of((round) => p95(round.gateway)),
    of((round) => p50(round.gateway) - p50(round.direct)),
    of((round) => p95(round.gateway) - p95(round.direct)),
    String(rounds.reduce((sum, round) => sum + round.gateway.length, 0)),
  ];
}

const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;

/** Clients start one after the other, as conversations do. */
async function callRepeatedly(
  target: Target,
  body: object,
  clients: number,
  seconds: number,
): Promise<Times> {
  const calls = target.calls(body);
  const times: Times = { first: [], whole: [] };
  const until = performance.now() + seconds * 1000;
  const client = async (_: unknown, number: number) => {
    await sleep((number / clients) * 500);
    while (performance.now() < until) {
      const one = await time(target.base_url, calls[number % calls.length] as Call);
      times.first.push(one.first);
      times.whole.push(one.whole);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return times;
}

async function time(base_url: string, call: Call) {
  const began = performance.now();
  const response = await begin(base_url, call);
  if (response.statusCode !== 200) throw new Error(`${call.path} answered ${response.statusCode}`);
  let first: number | undefined;
  for await (const _ of response) first ??= performance.now() - began;
  return { first: first ?? Number.NaN, whole: performance.now() - began };
}

/** Exceeds a budget with concurrent calls, and compares reservations with usage. */
async function spend({ admin }: World, rig: Rig): Promise<string[]> {
  const readSpent = async () => {
    const { rows } = await admin.query<{ spent: number; reserved: number }>(
      `select tokens::int as spent, reserved_tokens::int as reserved from llm_spending
       where tenant_id = $1 and customer_id is not null`,
      [rig.tenant_id],
    );
    return rows[0] ?? { spent: 0, reserved: 0 };
  };
  const before = await readSpent();
  await rig.limit(before.spent + BUDGET_TOKENS);
  const calls = rig.gateway.calls({ stream: true, max_tokens: MAX_TOKENS });
  const sent = Promise.all(
    Array.from({ length: AT_ONCE }, (_, number) =>
      send(rig.gateway.base_url, calls[number % calls.length] as Call),
    ),
  );
  let most = 0;
  while ((await Promise.race([sent, sleep(5, undefined)])) === undefined) {
    const { spent, reserved } = await readSpent();
    most = Math.max(most, spent - before.spent + reserved);
  }
  const statuses = (await sent).map(({ status }) => status);
  const after = await readSpent();
  const [answered, refused] = [200, 429].map((status) => statuses.filter((one) => one === status).length);
  const used = after.spent - before.spent;
  if (most > BUDGET_TOKENS || after.reserved !== 0) {
    throw new Error(`${most} of ${BUDGET_TOKENS} tokens were taken, and ${after.reserved} stayed reserved`);
  }
  return [
    row([
      'budget, tokens',
      'calls at once',
      'answered',
      'refused',
      'most reserved and spent',
      'used',
      'reserved ÷ used',
    ]),
    row(['--:', '--:', '--:', '--:', '--:', '--:', '--:']),
    row([BUDGET_TOKENS, AT_ONCE, answered, refused, most, used, figure(most / used)].map(String)),
  ];
}
