import { mkdir, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { Client } from 'pg';
import { findBinaries } from './binaries.ts';
import { ensureCluster, SUPERUSER } from './cluster.ts';
import { errorCode } from './error.ts';
import { startPostmaster } from './postmaster.ts';
import { chooseLaunch } from './privileges.ts';
import { openTo } from './reach.ts';

const DATABASE = 'control_plane';
/** What a URL leaves open pg looks for in PGSSLMODE, PGOPTIONS and the like, which are about other servers. */
const NOTHING_OPEN = 'sslmode=disable&sslnegotiation=postgres&options=%20';

export interface EmbeddedPostgres {
  /** postgres://…?… of the superuser, on 127.0.0.1 with scram password, ephemeral free port */
  readonly url: string;
  readonly dataDir: string;
  /** Fast shutdown, immediate after 5 s; resolves when postgres has ended. */
  stop(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  /** directory that holds (or will hold) the cluster, e.g. DATA_DIR/postgres */
  directory: string;
  /** extra server settings, e.g. {fsync:'off'} for tests */
  settings?: Record<string, string>;
  /** called when postgres dies although stop() was not called */
  onExit?: (reason: string) => void;
  log?: (line: string) => void;
}

/**
 * Starts the PostgreSQL server of the npm package on a cluster of our own, made at the first start. The caller holds
 * the data directory's lock: a postmaster found on the cluster is taken for an orphan and stopped.
 * Throws EmbeddedPostgresError (one line) where it cannot run.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const directory = await realDirectory(options.directory);
  const [launch, installed] = await Promise.all([chooseLaunch(directory), findBinaries()]);
  const binaries = launch.user === undefined ? installed : await openTo(launch.user, directory, installed);
  const password = await ensureCluster(directory, binaries, launch);
  const postmaster = await startPostmaster({
    directory,
    binaries,
    launch,
    settings: options.settings ?? {},
    onExit: options.onExit ?? (() => {}),
    log: options.log ?? (() => {}),
  });
  const urlOf = (database: string) =>
    `postgres://${SUPERUSER}:${password}@127.0.0.1:${postmaster.port}/${database}?${NOTHING_OPEN}`;
  try {
    await ensureDatabase(urlOf);
  } catch (error) {
    await postmaster.stop();
    throw error;
  }
  return { url: urlOf(DATABASE), dataDir: directory, stop: postmaster.stop };
}

/** The path without links, which is how the postmaster's command line is compared; the cluster may not exist yet. */
async function realDirectory(path: string): Promise<string> {
  const absolute = resolve(path);
  await mkdir(dirname(absolute), { recursive: true, mode: 0o700 });
  try {
    return await realpath(absolute);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    return join(await realpath(dirname(absolute)), basename(absolute));
  }
}

/** One connection when the database is there, which is every start but the first. */
async function ensureDatabase(urlOf: (database: string) => string): Promise<void> {
  try {
    await query(urlOf(DATABASE), 'SELECT 1');
  } catch (error) {
    if (errorCode(error) !== '3D000') throw error;
    await query(urlOf('postgres'), `CREATE DATABASE ${DATABASE}`);
  }
}

async function query(connectionString: string, statement: string): Promise<void> {
  const client = new Client({ connectionString });
  // a server that dies meanwhile fails the query; the event alone would end the process
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query(statement);
  } finally {
    await client.end();
  }
}
