import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { type Call, sendExpecting } from '../call.ts';
import { createCustomer, createTenant, insertInstance, type Place, tenantCall } from '../fixtures.ts';
import { sendAll } from '../load/fetch.ts';
import { wrk } from '../load/wrk.ts';
import { figure, row } from '../report.ts';
import { say } from '../say.ts';
import { settle } from '../seed.ts';
import { newInstallation, type RunningService, startService } from '../service.ts';
import { median } from '../statistics.ts';
import { usageOf } from '../usage.ts';
import { type Endpoint, webhookCall } from '../workloads/webhook-payload.ts';
import { createDatabase, type World } from '../world.ts';
import type { Study } from './study.ts';

const SIZES = [100, 10_000];
const MESSAGES_EACH = 100;
/** The service seals the messages of the latest conversations; the others' bytes are never opened. */
const WRITTEN = 100;
const CONNECTIONS = 10;
const SENDERS = 5000;
/** More than any window can take. */
const WEBHOOKS_PER_SECOND = 8000;

const KINDS = ['list', 'unanswered', 'conversation', 'messages', 'webhook'] as const;
type Kind = (typeof KINDS)[number];

interface Filled {
  size: number;
  service: RunningService;
  admin: pg.Client;
  endpoint: Endpoint;
  calls: Readonly<Record<Exclude<Kind, 'webhook'>, Call[]>>;
}

/** One database per size, measured in turn. */
export const conversations: Study = {
  name: 'conversations',
  title: `Conversations at ${CONNECTIONS} connections as their number grows, ${MESSAGES_EACH} messages each`,
  run: async (world, { repeats, seconds }) => {
    const filled: Filled[] = [];
    try {
      for (const size of SIZES) filled.push(await fill(world, size));
      const times = new Map<Kind, number[][]>(KINDS.map((kind) => [kind, []]));
      for (let repeat = 0; repeat < repeats; repeat++) {
        for (const kind of KINDS) {
          const round: number[] = [];
          for (const one of filled) round.push(await measure(world, one, kind, seconds));
          times.get(kind)?.push(round);
        }
      }
      return [...table(times), '', ...memory(filled)];
    } finally {
      for (const { service, admin } of filled) {
        await service.stop();
        await admin.end();
      }
    }
  },
};

async function measure(
  { directory }: World,
  { service, endpoint, calls }: Filled,
  kind: Kind,
  seconds: number,
): Promise<number> {
  const order = { base_url: service.base_url, connections: CONNECTIONS, directory };
  if (kind !== 'webhook') {
    await wrk({ ...order, calls: calls[kind], once: false, seconds: 1 });
    return (await wrk({ ...order, calls: calls[kind], once: false, seconds })).p50_ms;
  }
  const fresh = Array.from({ length: WEBHOOKS_PER_SECOND * seconds }, (_, nth) => webhookCall(endpoint, nth));
  return (await wrk({ ...order, calls: fresh, once: true, seconds })).p50_ms;
}

async function fill(world: World, size: number): Promise<Filled> {
  const name = `conversations_${size}`;
  const installation = newInstallation(world.directory, await createDatabase(world.postgres, name));
  const service = await startService(installation, name);
  const admin = new pg.Client({ connectionString: world.postgres.urlOf('postgres', name) });
  await admin.connect();
  const place: Place = { admin, installation, base_url: service.base_url };
  const tenant = await createTenant(place);
  const customer_id = await createCustomer(place, tenant);
  const instance_id = await insertInstance(place, tenant, customer_id);
  const endpoint = await createEndpoint(place.base_url, (body) =>
    tenantCall(tenant, 'POST', '/v1/channel-endpoints', { ...body, instance_id }),
  );
  say(`  ${size} conversations of ${MESSAGES_EACH} messages`);
  const count = size - WRITTEN;
  await insertOlder(admin, { tenant_id: tenant.id, customer_id, instance_id, count, each: MESSAGES_EACH });
  await write(place.base_url, endpoint);
  await admin.query(
    `update channel_messages set status = 'handled', finished_at = now() where status = 'pending'`,
  );
  await admin.query('delete from jobs');
  await settle(admin);
  const { rows } = await admin.query<{ id: string }>(
    'select id from conversations order by last_message_at desc limit $1',
    [WRITTEN],
  );
  const get = (path: string): Call => ({ method: 'GET', path, headers: tenant.headers });
  const calls = {
    list: [get('/v1/conversations')],
    unanswered: [get('/v1/conversations?unanswered=true')],
    conversation: rows.map(({ id }) => get(`/v1/conversations/${id}`)),
    messages: rows.map(({ id }) => get(`/v1/conversations/${id}/messages`)),
  };
  return { size, service, admin, endpoint, calls };
}

export async function createEndpoint(base_url: string, create: (body: object) => Call): Promise<Endpoint> {
  const [phone_number_id, app_secret] = ['109540000001', randomUUID()];
  const call = create({ channel: 'chatapp', phone_number_id, verify_token: randomUUID(), app_secret });
  const { id } = await sendExpecting<{ id: string }>(base_url, call, 201);
  return { id, phone_number_id, app_secret };
}

export async function insertOlder(
  admin: pg.Client,
  ids: { tenant_id: string; customer_id: string; instance_id: string; count: number; each: number },
): Promise<void> {
  const { tenant_id, customer_id, instance_id, count, each } = ids;
  // Skips triggers, which would wake followers and count changes.
  await admin.query('set session_replication_role = replica');
  await admin.query(
    `insert into conversations (tenant_id, instance_id, customer_id, channel, external_id, last_message_at, answered_number)
     select $1, $2, $3, 'chatapp', '4916' || n, now() - interval '1 hour' - n * interval '1 second', 1000000000
     from generate_series(1, $4::int) n`,
    [tenant_id, instance_id, customer_id, count],
  );
  await admin.query(
    `insert into channel_messages (tenant_id, conversation_id, instance_id, channel, external_id, message_id, direction,
       author, status, sealed_content, received_at, give_up_at, finished_at, erase_at)
     select c.tenant_id, c.id, c.instance_id, c.channel, c.external_id,
            case when n % 2 = 1 then gen_random_uuid()::text end, case when n % 2 = 1 then 'in' else 'out' end,
            case when n % 2 = 1 then 'sender' else 'agent' end, case when n % 2 = 1 then 'handled' else 'delivered' end,
            decode(repeat(md5(n::text), 10), 'hex'), c.last_message_at, now(), now(), now() + interval '30 days'
     from conversations c, generate_series(1, $1::int) n`,
    [each],
  );
  await admin.query('set session_replication_role = origin');
}

async function write(base_url: string, endpoint: Endpoint): Promise<void> {
  const calls = Array.from({ length: WRITTEN * MESSAGES_EACH }, (_, index) => {
    const number = (index % WRITTEN) + SENDERS * Math.floor(index / WRITTEN);
    return webhookCall(endpoint, number);
  });
  await sendAll(base_url, calls, CONNECTIONS);
}

const table = (times: ReadonlyMap<Kind, number[][]>) => [
  `| request | ${SIZES.map((size) => `${size} conversations: p50 ms`).join(' | ')} | ratio |`,
  `| --- | ${SIZES.map(() => '--: | ').join('')}--: |`,
  ...[...times].map(([kind, rounds]) => {
    const columns = SIZES.map((_, index) =>
      figure(median(rounds.map((round) => round[index] ?? Number.NaN))),
    );
    const ratio = median(rounds.map((round) => (round.at(-1) ?? Number.NaN) / (round[0] ?? Number.NaN)));
    return row([kind, ...columns, figure(ratio)]);
  }),
];

const memory = (filled: readonly Filled[]) => [
  '| conversations | resident memory of the service at the end, MiB |',
  '| --: | --: |',
  ...filled.map(({ size, service }) => row([String(size), figure(usageOf(service.pid).rss_mib)])),
];
