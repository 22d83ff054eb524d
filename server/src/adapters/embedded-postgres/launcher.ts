import { randomBytes } from 'node:crypto';
import { mkdir, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { Client } from 'pg';
import { findBinaries } from './binaries.ts';
import { ensureCluster, SUPERUSER } from './cluster.ts';
import { errorCode } from './error.ts';
import { keepPostmaster } from './kept-postmaster.ts';
import { chooseLaunch } from './privileges.ts';
import { openTo } from './reach.ts';

const DATABASE = 'control_plane';
/** The service's login. It owns nothing and only has the roles that the migrations grant. */
const LOGIN = 'acp_login';
/** Otherwise pg would apply PGSSLMODE, PGOPTIONS and so on, which are for other servers. */
const EXPLICIT_OPTIONS = 'sslmode=disable&sslnegotiation=postgres&options=%20';

export interface EmbeddedPostgres {
  /** For the superuser: postgres://… on a free port of 127.0.0.1. */
  readonly url: string;
  /** For a login without privileges. Each start sets a new password, which is stored nowhere. */
  readonly loginUrl: string;
  readonly dataDir: string;
  /** Fast shutdown, immediate after 5 s. Resolves when postgres has exited. */
  stop(): Promise<void>;
}

interface EmbeddedPostgresOptions {
  /** The cluster's directory, such as DATA_DIR/postgres. */
  directory: string;
  /** Added to the server's settings, such as `{ fsync: 'off' }` in tests. */
  settings?: Record<string, string>;
  /** Not called after stop(). postgres is started again on its port. */
  onExit?: (reason: string) => void;
  /** Called when it serves again. */
  onBack?: () => void;
  /** Called when it cannot be started again; it is tried on. */
  onFailure?: (error: Error) => void;
  log?: (line: string) => void;
}

/**
 * Starts the npm package's PostgreSQL on a cluster that the first start creates. The caller holds the data directory's
 * lock, so a postmaster that already serves the cluster is an orphan and is stopped. Throws EmbeddedPostgresError.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const directory = await realDirectory(options.directory);
  const [launch, installed] = await Promise.all([chooseLaunch(directory), findBinaries()]);
  const binaries = launch.user === undefined ? installed : await openTo(launch.user, directory, installed);
  const password = await ensureCluster(directory, binaries, launch);
  const postmaster = await keepPostmaster({
    directory,
    binaries,
    launch,
    settings: options.settings ?? {},
    onExit: options.onExit ?? (() => {}),
    onBack: options.onBack ?? (() => {}),
    onFailure: options.onFailure ?? (() => {}),
    log: options.log ?? (() => {}),
  });
  const urlFor = (login: string, secret: string, database = DATABASE) =>
    `postgres://${login}:${secret}@127.0.0.1:${postmaster.port}/${database}?${EXPLICIT_OPTIONS}`;
  const loginPassword = randomBytes(32).toString('base64url');
  try {
    await ensureDatabase((database) => urlFor(SUPERUSER, password, database), loginPassword);
  } catch (error) {
    await postmaster.stop();
    throw error;
  }
  const loginUrl = urlFor(LOGIN, loginPassword);
  return { url: urlFor(SUPERUSER, password), loginUrl, dataDir: directory, stop: postmaster.stop };
}

/** The path is compared with a postmaster's command line, so it must not contain links. It may not exist yet. */
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

/** Opens one connection, except at the first start. */
async function ensureDatabase(urlOf: (database: string) => string, loginPassword: string): Promise<void> {
  try {
    await query(urlOf(DATABASE), ensureLogin(loginPassword));
  } catch (error) {
    if (errorCode(error) !== '3D000') throw error;
    await query(urlOf('postgres'), `CREATE DATABASE ${DATABASE}`);
    await query(urlOf('postgres'), ensureLogin(loginPassword));
  }
}

/** @param password base64url */
const ensureLogin = (password: string) => `
  DO $$ BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${LOGIN}') THEN CREATE ROLE ${LOGIN}; END IF;
  END $$;
  ALTER ROLE ${LOGIN} LOGIN NOINHERIT NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS
    PASSWORD '${password}'`;

async function query(connectionString: string, statement: string): Promise<void> {
  const client = new Client({ connectionString });
  // The query fails too. Without a listener, the event would end the process.
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query(statement);
  } finally {
    await client.end();
  }
}
