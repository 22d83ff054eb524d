import { randomBytes } from 'node:crypto';
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
/** Serves. It owns nothing and enters the roles that the migrations let it into. */
const LOGIN = 'acp_login';
/** Set explicitly, because pg otherwise reads PGSSLMODE, PGOPTIONS and the like, which concern other servers. */
const EXPLICIT_OPTIONS = 'sslmode=disable&sslnegotiation=postgres&options=%20';

export interface EmbeddedPostgres {
  /** postgres://… of the superuser, on a free port of 127.0.0.1 */
  readonly url: string;
  /** The same of a login without rights. Its password is new at each start, so it is kept nowhere. */
  readonly loginUrl: string;
  readonly dataDir: string;
  /** Fast shutdown, immediate after 5 s; resolves when postgres has ended. */
  stop(): Promise<void>;
}

interface EmbeddedPostgresOptions {
  /** The cluster's directory, such as DATA_DIR/postgres. */
  directory: string;
  /** More server settings, such as `{ fsync: 'off' }` for tests. */
  settings?: Record<string, string>;
  /** Called when postgres dies without a call of stop(). */
  onExit?: (reason: string) => void;
  log?: (line: string) => void;
}

/**
 * Starts the npm package's PostgreSQL server on its own cluster, which the first start creates. The caller must hold the
 * data directory's lock: a postmaster already on the cluster counts as an orphan and is stopped.
 * Throws EmbeddedPostgresError (one line) when it cannot run.
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

/** Resolves links, because the path is compared with a postmaster's command line. The cluster may not exist yet. */
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

/** Needs one connection when the database exists, which is every start but the first. */
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
  // A dying server fails the query as well; without a listener, the event would end the process.
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query(statement);
  } finally {
    await client.end();
  }
}
