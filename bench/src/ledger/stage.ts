import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAnswered } from '../call.ts';
import { freePort } from '../ports.ts';
import { Process } from '../processes.ts';
import { type Installation, newInstallation } from '../service.ts';
import { createDatabase } from '../world.ts';
import { Channel } from './channel.ts';
import { Database } from './database.ts';
import { Supervised } from './supervised.ts';

const HERE = import.meta.dirname;
const MAIN = join(HERE, '../../../server/dist/main.js');
const RUNTIME = join(HERE, '../../../test/accounting-runtime.mjs');
const FAKETIME = ['x86_64-linux-gnu', 'aarch64-linux-gnu'].map(
  (machine) => `/usr/lib/${machine}/faketime/libfaketimeMT.so.1`,
);

/** A complete installation in a directory of its own. */
export interface Stage {
  installation: Installation;
  base_url: string;
  database: Database;
  service: Supervised;
  /** undefined: this machine has no redis-server. */
  redis: Supervised | undefined;
  /** Moves the service's clock ahead. undefined: this machine has no libfaketime. */
  setClock: ((seconds: number) => Promise<void>) | undefined;
  channel: Channel;
  data_dir: string;
  isReady: () => Promise<boolean>;
  close: () => Promise<void>;
}

/** Starts PostgreSQL, Redis if installed, a channel and the service. */
export async function openStage(): Promise<Stage> {
  const directory = await mkdtemp(join(tmpdir(), 'acp-ledger-'));
  const undo: (() => Promise<unknown>)[] = [() => rm(directory, { recursive: true, force: true })];
  const close = async () => {
    for (const step of undo.splice(0).toReversed()) await step();
  };
  try {
    // If this process is root's, another user runs the database server.
    await chmod(directory, 0o711);
    const database = await Database.start(directory);
    undo.push(() => database.stop());
    await until(() =>
      database.administer().then(
        () => true,
        () => false,
      ),
    );
    const installation = newInstallation(directory, await createDatabase(database, 'ledger'));
    const redisPort = await freePort();
    const redis = startRedis(directory, redisPort);
    if (redis) undo.push(() => redis.stop('SIGKILL'));
    const base_url = `http://127.0.0.1:${await freePort()}`;
    const channel = new Channel(base_url);
    const send_url = await channel.start();
    undo.push(() => channel.close());
    const clock = await prepareClock(directory);
    const environment = await environmentOf(installation, new URL(base_url).port, {
      CHATAPP_API_BASE_URL: send_url,
      ...(redis && { REDIS_URL: `redis://127.0.0.1:${redisPort}` }),
      ...clock?.environment,
    });
    const service = startService(directory, environment);
    undo.push(() => service.stop('SIGTERM'));
    const isReady = () => isAnswered(base_url, { method: 'GET', path: '/readyz' });
    await until(isReady);
    const setClock = clock?.set;
    const data_dir = join(directory, 'service');
    return { installation, base_url, database, service, redis, setClock, channel, data_dir, isReady, close };
  } catch (error) {
    await close();
    throw error;
  }
}

export async function until(isSo: () => Promise<boolean>, withinMs = 120_000): Promise<void> {
  for (const deadline = Date.now() + withinMs; Date.now() < deadline; await sleep(100))
    if (await isSo()) return;
  throw new Error(`The service or its database did not recover within ${withinMs / 1000} seconds`);
}

async function environmentOf(
  { directory, database_url, master_key, operations_token }: Installation,
  port: string,
  more: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  return {
    NODE_ENV: 'production',
    DATA_DIR: join(directory, 'service'),
    DATABASE_URL: database_url,
    MASTER_KEY: master_key,
    OPERATIONS_TOKEN: operations_token,
    LOG_LEVEL: 'warn',
    // A restarted service adopts runtimes only if its addresses are the same.
    PORT: port,
    MTLS_PORT: String(await freePort()),
    RUNTIME_COMMAND: `${process.execPath} ${RUNTIME}`,
    RUNTIME_ISOLATION: 'preferred',
    DRAIN_SECONDS: '0',
    ...more,
  };
}

const startService = (directory: string, environment: Readonly<Record<string, string>>) =>
  new Supervised(
    () =>
      new Process({
        command: process.execPath,
        args: [MAIN],
        environment,
        log: join(directory, 'service.log'),
      }),
  );

function startRedis(directory: string, port: number): Supervised | undefined {
  const places = (process.env.PATH ?? '').split(delimiter);
  if (!places.some((place) => existsSync(join(place, 'redis-server')))) return undefined;
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', directory];
  const log = join(directory, 'redis.log');
  return new Supervised(() => new Process({ command: 'redis-server', args, log }));
}

/** The library reads the file at each call of the clock, so a step takes effect at once. */
async function prepareClock(directory: string) {
  const library = [process.env.LEDGER_FAKETIME ?? '', ...FAKETIME].find((path) => existsSync(path));
  if (library === undefined) return undefined;
  const file = join(directory, 'clock');
  const set = (seconds: number) => writeFile(file, `${seconds < 0 ? '' : '+'}${seconds}\n`);
  await set(0);
  const environment = {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  };
  return { set, environment };
}
