import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../ports.ts';
import { Process } from '../processes.ts';
import { type Installation, newInstallation } from '../service.ts';
import { createDatabase } from '../world.ts';
import type { Book } from './book.ts';
import { Channel } from './channel.ts';
import { Copies } from './copies.ts';
import { Database } from './database.ts';
import { Model } from './model.ts';
import type { Random } from './random.ts';
import { Recorder } from './recorder.ts';
import { Supervised } from './supervised.ts';
import { ToolServer } from './tool-server.ts';

/** The build's, also where this file is run from its source. */
const AGENT = join(import.meta.dirname, '../../dist/ledger/agent-program.js');
/** The kind of what has to work again after a fault. */
export const RECOVERIES = 'recoveries';
/** The service and its database have recovered from a fault by then. */
const RECOVERS_WITHIN_MS = 120_000;

/** A complete installation in a directory of its own. */
export interface Stage {
  installation: Installation;
  database: Database;
  copies: Copies;
  /** undefined: this machine has no redis-server. */
  redis: Supervised | undefined;
  channel: Channel;
  model: Model;
  tools: ToolServer;
  /** Where the tool server is. */
  tools_url: string;
  close: () => Promise<void>;
}

export interface StageOptions {
  book: Book;
  random: Random;
  /** How many processes of the service there are. */
  copies: number;
  /** The service's program. */
  main: string;
}

/** Starts PostgreSQL, Redis if installed, a channel, a model, a tool server and the service. */
export async function openStage({ book, random, copies: count, main }: StageOptions): Promise<Stage> {
  const directory = await mkdtemp(join(tmpdir(), 'acp-ledger-'));
  const undo: (() => unknown)[] = [() => rm(directory, { recursive: true, force: true })];
  const close = async () => {
    for (const step of undo.splice(0).toReversed()) await step();
  };
  try {
    // If this process is root's, another user runs the database server.
    await chmod(directory, 0o711);
    const database = await Database.start(directory);
    undo.push(() => database.stop());
    await database.insist();
    const installation = newInstallation(directory, await createDatabase(database, 'ledger'));
    const redisPort = await freePort();
    const redis = startRedis(directory, redisPort);
    if (redis) undo.push(() => redis.stop('SIGKILL'));
    const [channel, model, tools, recorder] = [
      new Channel(book, random),
      new Model(),
      new ToolServer(),
      new Recorder(book),
    ];
    undo.push(() => [model, tools, recorder].map((server) => server.close()));
    const recorder_url = await recorder.start();
    const tools_url = await tools.start();
    const environment = {
      RUNTIME_COMMAND: `${process.execPath} ${AGENT} ${recorder_url}`,
      RUNTIME_ISOLATION: 'preferred',
      CHATAPP_API_BASE_URL: await channel.start(),
      LLM_BASE_URL: await model.start(),
      LLM_API_KEY: 'a key',
      LLM_MODEL: 'fake',
      MCP_ALLOWED_HOSTS: '127.0.0.1',
      ...(redis && { REDIS_URL: `redis://127.0.0.1:${redisPort}` }),
    };
    const copies = await Copies.start(installation, { main, count, environment, book });
    undo.push(() => copies.close());
    channel.connect(() => copies.pick());
    undo.push(() => channel.close());
    await recovered(book, copies);
    return { installation, database, copies, redis, channel, model, tools, tools_url, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Resolves once all copies are ready. Rejects, with what they say, where they are not within two minutes. */
export async function recovered(book: Book, copies: Copies): Promise<void> {
  book.count(RECOVERIES);
  for (const deadline = Date.now() + RECOVERS_WITHIN_MS; Date.now() < deadline; await sleep(100))
    if (copies.areReady) return;
  throw new Error(`not ready ${RECOVERS_WITHIN_MS / 1000} seconds after the last fault: ${copies.state}`);
}

function startRedis(directory: string, port: number): Supervised | undefined {
  const places = (process.env.PATH ?? '').split(delimiter);
  if (!places.some((place) => existsSync(join(place, 'redis-server')))) return undefined;
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', directory];
  const log = join(directory, 'redis.log');
  return new Supervised(() => new Process({ command: 'redis-server', args, log }));
}
