import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { sendExpecting } from '../call.ts';
import { EventReceiver, type Received } from '../event-receiver.ts';
import {
  createCustomer,
  createPlace,
  createTenant,
  type FullTenant,
  type Place,
  tenantCall,
} from '../fixtures.ts';
import { freePort } from '../ports.ts';
import { figure, row } from '../report.ts';
import { newInstallation, type RunningService, startService } from '../service.ts';
import { createDatabase, type World } from '../world.ts';
import type { Study } from './study.ts';

const NAME = 'events';
/** Instances, each of which has an order. */
const STREAMS = 20;
/** Below the limit of an endpoint, so that what waited during a kill is made up for. */
const PER_SECOND = 6;
const KILLS = 5;
const SLOW_MS = 300;
/** Until then a copy that was killed is back, and what waited for it was sent. */
const TROUBLE_MS = 45_000;
const GIVE_UP_MS = 20 * 60_000;
/** Each so many-th transaction is rolled back, and is no event. */
const UNDONE_EACH = 10;

/** The times of commits, by number. */
type Emitted = Map<number, number>;

export const events: Study = {
  name: NAME,
  title: 'Events to three receivers, while copies of the service are killed',
  withoutWrk: true,
  run: async (world, { events: count, away }) => {
    const place = await openPlace(world);
    const receivers = {
      well: new EventReceiver(0),
      slow: new EventReceiver(SLOW_MS),
      away: new EventReceiver(0),
    };
    try {
      const tenant = await createTenant(place);
      for (const receiver of Object.values(receivers)) {
        const endpoint = { url: await receiver.open(), events: ['budget.reached'] };
        await sendExpecting(place.base_url, tenantCall(tenant, 'POST', '/v1/event-endpoints', endpoint), 201);
      }
      await receivers.away.close();
      const back = sleep(away * 1000).then(() => receivers.away.open());
      const { emitted, kills } = await emitAll(place, tenant, count);
      await back;
      for (const receiver of Object.values(receivers)) await receiver.until(count, GIVE_UP_MS);
      return [
        `| ${count} events, ${KILLS} kills, away for ${away} s | lost | out of order | invented | twice | delay s, median | 99th | most |`,
        '| --- | --: | --: | --: | --: | --: | --: | --: |',
        ...Object.entries(receivers).map(([name, { received }]) => rowOf(name, received, emitted, kills)),
      ];
    } finally {
      for (const receiver of Object.values(receivers)) await receiver.close();
      await place.close();
    }
  },
};

interface OpenPlace extends Place {
  /** Kills one copy and starts it again. */
  kill(copy: number): Promise<void>;
  close(): Promise<void>;
}

async function openPlace(world: World): Promise<OpenPlace> {
  const installation = newInstallation(world.directory, await createDatabase(world.postgres, NAME));
  const start = async (name: string, ports: { port: number; mtls_port: number }) =>
    startService(installation, name, {
      role: 'all',
      ports,
      environment: { EVENTS_ALLOWED_HOSTS: '127.0.0.1', RUNTIME_ISOLATION: 'preferred' },
    });
  const copies: { service: RunningService; again: () => Promise<RunningService> }[] = [];
  for (const name of [`${NAME}-1`, `${NAME}-2`]) {
    const ports = { port: await freePort(), mtls_port: await freePort() };
    copies.push({ service: await start(name, ports), again: () => start(name, ports) });
  }
  const admin = new pg.Client({ connectionString: world.postgres.urlOf('postgres', NAME) });
  await admin.connect();
  return {
    admin,
    installation,
    base_url: copies[0]?.service.base_url ?? '',
    kill: async (index) => {
      const copy = copies[index % copies.length];
      if (!copy) return;
      await copy.service.kill();
      copy.service = await copy.again();
    },
    close: async () => {
      for (const { service } of copies) await service.stop();
      await admin.end();
    },
  };
}

/** At a steady pace, which the restarts do not interrupt. @returns the times of commits and of kills */
async function emitAll(place: OpenPlace, tenant: FullTenant, count: number) {
  const streams = await insertInstances(place, tenant);
  const emitted: Emitted = new Map();
  const kills: number[] = [];
  const restarts: Promise<void>[] = [];
  const began = performance.now();
  for (let number = 1; number <= count; number++) {
    await sleep(Math.max(0, began + (number * 1000) / PER_SECOND - performance.now()));
    const instance_id = streams[number % STREAMS];
    if (number % UNDONE_EACH === 0)
      await emit(place.admin, tenant, { instance_id, percent: -number }, 'rollback');
    await emit(place.admin, tenant, { instance_id, percent: number }, 'commit');
    emitted.set(number, performance.now());
    if (number % Math.ceil(count / (KILLS + 1)) !== 0) continue;
    // The copies in turn; one that is still starting is waited for.
    await Promise.all(restarts);
    kills.push(performance.now());
    restarts.push(place.kill(kills.length));
  }
  await Promise.all(restarts);
  return { emitted, kills };
}

async function emit(admin: pg.Client, { id }: FullTenant, about: object, end: 'commit' | 'rollback') {
  await admin.query('begin');
  await admin.query(`select emit_event($1, 'budget.reached', $2)`, [id, JSON.stringify(about)]);
  await admin.query(end);
}

/** Rows alone: no runtime is started. */
async function insertInstances(place: OpenPlace, tenant: FullTenant): Promise<string[]> {
  const { tier_id, region_id } = await createPlace(place);
  const customer_id = await createCustomer(place, tenant);
  const { rows } = await place.admin.query<{ id: string }>(
    `with recipe as (insert into recipes (tenant_id, name) values ($1, 'Recipe') returning id)
     insert into instances (id, tenant_id, customer_id, recipe_id, recipe_revision, template_name, tier_id, region_id,
       hostname, hosting_mode, capacity, status, resolved_config, provenance)
     select gen_random_uuid(), $1, $2, recipe.id, 1, 'Recipe', $3, $4, 'agent-' || n, 'dedicated', 1, 'stopped', '{}', '{}'
     from recipe, generate_series(1, $5::int) n returning id`,
    [tenant.id, customer_id, tier_id, region_id, STREAMS],
  );
  return rows.map(({ id }) => id);
}

function rowOf(
  name: string,
  received: readonly Received[],
  emitted: Emitted,
  kills: readonly number[],
): string {
  const firsts = new Map<number, Received>();
  for (const one of received) if (!firsts.has(one.number)) firsts.set(one.number, one);
  const last = new Map<string, number>();
  let disorder = 0;
  for (const { stream, number } of firsts.values()) {
    if (number < (last.get(stream) ?? 0)) disorder++;
    last.set(stream, number);
  }
  const lost = [...emitted.keys()].filter((number) => !firsts.has(number)).length;
  const invented = [...firsts.keys()].filter((number) => !emitted.has(number)).length;
  if (lost + disorder + invented > 0)
    throw new Error(`${name}: ${lost} lost, ${disorder} out of order, ${invented} invented`);
  const delays = [...firsts.values()].map(({ number, at }) => at - (emitted.get(number) ?? at));
  const quiet = [...firsts.values()]
    .filter(({ at }) => !kills.some((kill) => at >= kill && at < kill + TROUBLE_MS))
    .map(({ number, at }) => at - (emitted.get(number) ?? at))
    .toSorted((a, b) => a - b);
  const share = (of: number) => {
    const delay = quiet[Math.floor(of * (quiet.length - 1))];
    return delay === undefined ? '–' : figure(delay / 1000);
  };
  const twice = received.length - firsts.size;
  const most = figure(Math.max(...delays) / 1000);
  return row([name, '0', '0', '0', String(twice), share(0.5), share(0.99), most]);
}
