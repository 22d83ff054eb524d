import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { freePort } from '../bench/src/ports.ts';
import { createTestDatabase, type TestDatabase } from '../server/test/support/database.ts';
import { OPERATIONS_TOKEN, startTestService } from '../server/test/support/service.ts';
import {
  changeFor,
  createEndpoint,
  HOOK,
  payloadOf,
  sign,
  type TestEndpoint,
  textMessage,
} from '../server/test/support/webhook.ts';
import { ReadyProxy } from './ready-proxy.ts';
import { ServerProcess } from './server-process.ts';

const REPOSITORY = join(import.meta.dirname, '..');
const LOOPS = 6;
/** Between requests of a loop, which would otherwise take the copies' CPU. */
const PAUSE_MS = 20;
const WAIT = { timeout: 180_000, interval: 50 };

let database: TestDatabase;
let environment: Record<string, string>;
let copies: { server: ServerProcess; port: number }[];
let proxy: ReadyProxy;
let key: string;
let endpoint: TestEndpoint;
/** A version with one more migration, which this version may still run on. */
let newer: string;

beforeAll(async () => {
  database = await createTestDatabase();
  const master_key = Buffer.alloc(32, 5);
  const setUp = await startTestService({ database, master_key, runsJobs: false });
  const tenant = await setUp.createTenant();
  key = tenant.key;
  endpoint = await createEndpoint(setUp, tenant);
  await setUp.service.stop();
  environment = {
    DATABASE_URL: database.url,
    MASTER_KEY: master_key.toString('base64'),
    OPERATIONS_TOKEN,
    ROLE: 'api',
    RUNTIME_ISOLATION: 'none',
    DRAIN_SECONDS: '5',
  };
  copies = [await newCopy(), await newCopy()];
  for (const copy of copies) await start(copy);
  proxy = await ReadyProxy.before(copies.map(({ port }) => port));
  newer = await buildNewer();
});
afterAll(async () => {
  await proxy.close();
  for (const { server } of copies) await server.remove();
  await rm(newer, { recursive: true });
  await database.drop();
});

type Copy = (typeof copies)[number];

const newCopy = async () => ({ server: await ServerProcess.inNewDirectory(), port: await freePort() });
const start = ({ server, port }: Copy, main?: string) =>
  server.startServed({ ...environment, PORT: String(port) }, main);

async function buildNewer(): Promise<string> {
  const place = await mkdtemp(join(tmpdir(), 'acp-newer-'));
  const parts = (await readdir(join(REPOSITORY, 'server'))).filter(
    (part) => !/^(test|node_modules)$/.test(part),
  );
  for (const part of parts)
    await cp(join(REPOSITORY, 'server', part), join(place, 'server', part), { recursive: true });
  // The server has packages of its own where another one needs an older version.
  for (const packages of ['node_modules', 'server/node_modules'])
    if (existsSync(join(REPOSITORY, packages)))
      await symlink(join(REPOSITORY, packages), join(place, packages));
  const last = Number((await readdir(join(place, 'server/migrations'))).toSorted().at(-1)?.slice(0, 4));
  const name = `${String(last + 1).padStart(4, '0')}_further.sql`;
  const text = `-- oldest service: ${String(last).padStart(4, '0')}\nalter table customers add column further text;\n`;
  await writeFile(join(place, 'server/migrations', name), text);
  return place;
}

class Load {
  readonly failures: string[] = [];
  readonly customers: string[] = [];
  readonly messages: string[] = [];
  readonly #loops: Promise<void>[];
  #isOver = false;

  constructor() {
    this.#loops = Array.from({ length: LOOPS }, () => this.#loop());
  }

  async more(count: number): Promise<void> {
    const [customers, messages] = [this.customers.length + count, this.messages.length + count];
    await vi.waitFor(() => {
      expect(this.customers.length).toBeGreaterThan(customers);
      expect(this.messages.length).toBeGreaterThan(messages);
    }, WAIT);
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#loops);
  }

  async #loop(): Promise<void> {
    while (!this.#isOver) {
      await sleep(PAUSE_MS);
      const email = `${randomUUID()}@example.com`;
      const customer = JSON.stringify({ email });
      if (await this.#send('/v1/customers', customer, { 'x-api-key': key }, 201)) this.customers.push(email);
      const id = randomUUID();
      const payload = JSON.stringify(
        payloadOf(changeFor(endpoint.phone_number_id, textMessage(id, 'Hello'))),
      );
      const signature = { 'x-hub-signature-256': sign(payload, endpoint.app_secret) };
      if (await this.#send(HOOK, payload, signature, 200)) this.messages.push(id);
    }
  }

  async #send(path: string, body: string, more: Record<string, string>, status: number): Promise<boolean> {
    const headers = { 'content-type': 'application/json', ...more };
    const failure = await fetch(proxy.base_url + path, { method: 'POST', headers, body }).then(
      async (response) =>
        response.status === status ? undefined : `${response.status} ${await response.text()}`,
      (error: Error) => (error.cause instanceof Error ? error.cause.message : error.message),
    );
    if (failure !== undefined) this.failures.push(`${path}: ${failure}`);
    return failure === undefined;
  }
}

/** No request may fail, and everything acknowledged is in the database once. */
async function underLoad(work: (load: Load) => Promise<void>): Promise<void> {
  const load = new Load();
  const { customers, messages, failures } = load;
  try {
    await load.more(20);
    await work(load);
    await load.more(20);
  } finally {
    await load.end();
  }
  expect(failures).toEqual([]);
  const [row] = await database.query(
    `select (select count(*)::int from customers where email = any($1)) as customers,
            (select count(*)::int from channel_messages where message_id = any($2)) as messages`,
    [customers, messages],
  );
  expect(row).toEqual({ customers: customers.length, messages: messages.length });
}

describe('two copies behind a proxy that asks whether they are ready', () => {
  it('restart one after the other without a failed request or a lost message', () =>
    underLoad(async (load) => {
      for (const copy of copies) {
        expect(await copy.server.end('SIGTERM')).toBe(0);
        await load.more(20);
        await start(copy);
        await proxy.sees(copy.port);
        await load.more(20);
      }
    }));

  it('are upgraded one after the other, while the older version may restart', () =>
    underLoad(async (load) => {
      const [first, second] = copies as [Copy, Copy];
      const build = join(newer, 'server/dist/main.js');
      expect(await first.server.end('SIGTERM')).toBe(0);
      await start(first, build);
      await proxy.sees(first.port);
      await load.more(20);
      expect(await second.server.end('SIGTERM')).toBe(0);
      await start(second);
      await vi.waitUntil(() => second.server.output.includes('the database is ahead of this version'), {
        timeout: 180_000,
      });
      const ready = await fetch(`http://127.0.0.1:${second.port}/readyz`);
      expect(await ready.json()).toMatchObject({ status: 'ready', checks: { migrations: 'ahead' } });
      await proxy.sees(second.port);
      await load.more(20);
      expect(await second.server.end('SIGTERM')).toBe(0);
      await start(second, build);
    }));
});
