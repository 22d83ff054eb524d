import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { ROLES, WHAT_TO_GRANT } from './connection-check.ts';
import { connectInTurn, Servers, WatchedClient } from './servers.ts';

/** The name of the session, by which other copies see that one migrates. */
export const MIGRATES_AS = 'agent-control-plane migrate';
const CONNECT_WITHIN_MS = 10_000;
/** Each statement of a migration waits no longer for a lock, because everybody else waits behind it meanwhile. */
const LOCK_TIMEOUT_MS = 1500;
const FIRST_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 15_000;
/** A long backup may hold its locks for hours. Whoever starts the service decides how long to wait. */
const TRIES = 240;
const CREATE_LIST = `create table schema_migrations
  (name text primary key, sha256 text not null, applied_at timestamptz not null default now(), oldest integer)`;

export const migrationsDirectory = join(import.meta.dirname, '../../../migrations');

/** The first line of a migration that leaves older versions of the service able to run. */
const OLDEST = /^-- oldest service: (\d{4})$/m;

export interface Migration {
  name: string;
  text: string;
  sha256: string;
  /**
   * The number of the newest migration that a version of the service has to know in order to run on the schema that this
   * one leaves; its own unless it says so (`-- oldest service: 0051`).
   */
  oldest: number;
}

/** A log of what goes on while migrations are applied. */
export interface MigrationLog {
  info(values: object, message: string): void;
  warn(values: object, message: string): void;
}

/** The database is ahead of this code, or its history was rewritten; the code must not touch it. */
class MigrationError extends Error {}

export const numberOf = (name: string): number => Number(name.slice(0, 4));

/** The number of the newest one. */
export const versionOf = (migrations: readonly Migration[]): number =>
  numberOf(migrations.at(-1)?.name ?? '0');

/** Numbered SQL files of a directory, in order. */
export async function readMigrations(directory = migrationsDirectory): Promise<Migration[]> {
  const names = (await readdir(directory)).filter((name) => /^\d{4}_[a-z_]+\.sql$/.test(name)).toSorted();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(directory, name), 'utf8');
      const oldest = Number(OLDEST.exec(text)?.[1] ?? numberOf(name));
      return { name, text, sha256: createHash('sha256').update(text).digest('hex'), oldest };
    }),
  );
}

/**
 * Brings the database to this code's schema, one process at a time. Each migration is a transaction that waits only shortly
 * for locks, and is tried again. Refuses a database with migrations that this code does not know, unless they allow this
 * version, or that it knows with other contents.
 * @param servedBy another login that is to enter the service's roles
 * @returns the names applied now
 */
export async function migrate(
  url: string,
  migrations: readonly Migration[],
  servedBy?: string,
  log?: MigrationLog,
): Promise<string[]> {
  const client = await connectInTurn(new Servers(url), makeClient).catch((error: unknown) => {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = `The database (DATABASE_URL) cannot be reached: ${message || code}`;
    throw new MigrationError(reason, { cause: error });
  });
  try {
    // The session holds the lock, because each migration commits.
    await client.query(`select pg_advisory_lock(hashtext('agent-control-plane migrations'))`);
    await createList(client).catch((error: unknown) => {
      throw new MigrationError(`The database cannot be migrated: ${reasonOf(error)}`, { cause: error });
    });
    const applied = await appliedMigrations(client);
    const pending = pendingMigrations(migrations, applied, log);
    for (const migration of pending) {
      await applyInTime(client, migration, log);
      if (applied.length > 0) log?.info({ migration: migration.name }, 'a migration was applied');
    }
    if (applied.length === 0) log?.info({ migrations: pending.length }, 'a new database was migrated');
    if (servedBy !== undefined) await letIn(client, servedBy);
    return pending.map((migration) => migration.name);
  } finally {
    await client.end();
  }
}

/** Asks first: even an "if not exists" would wait for everybody who reads the table. */
async function createList(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ is_there: boolean; has_oldest: boolean }>(
    `select to_regclass('schema_migrations') is not null as is_there,
            exists (select from pg_attribute
                    where attrelid = to_regclass('schema_migrations') and attname = 'oldest') as has_oldest`,
  );
  if (!rows[0]?.is_there) await client.query(CREATE_LIST);
  else if (!rows[0].has_oldest) await client.query('alter table schema_migrations add column oldest integer');
}

/** Tries again where a lock was not to be had, and lets those through meanwhile who wait behind us. */
async function applyInTime(client: pg.Client, migration: Migration, log?: MigrationLog): Promise<void> {
  const { name } = migration;
  for (let tries = 1, pauseMs = FIRST_PAUSE_MS; ; tries++, pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
    try {
      return await apply(client, migration);
    } catch (error) {
      const { code } = error as pg.DatabaseError;
      // 55P03 lock_timeout, 40P01 deadlock.
      if ((code !== '55P03' && code !== '40P01') || tries === TRIES)
        throw new MigrationError(`Migration ${name} failed: ${reasonOf(error)}`, { cause: error });
      log?.warn({ migration: name, tries }, 'a migration waits for a lock that another session holds');
      await sleep(pauseMs);
    }
  }
}

async function apply(client: pg.Client, { name, text, sha256, oldest }: Migration): Promise<void> {
  await client.query(`begin; set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
  try {
    await client.query(text);
    await client.query('insert into schema_migrations (name, sha256, oldest) values ($1, $2, $3)', [
      name,
      sha256,
      oldest,
    ]);
    await client.query('commit');
  } catch (error) {
    // A lost connection has said why already.
    await client.query('rollback').catch(() => {});
    throw error;
  }
}

/** At each start, because a database that was restored brings no memberships. */
async function letIn(client: pg.Client, login: string): Promise<void> {
  const { rows } = await client.query<{ text: string }>(
    `select format('grant %I to %I', role, $1::text) as text from unnest($2::text[]) as role
     where not pg_has_role($1::text, role, 'member')`,
    [login, ROLES],
  );
  for (const { text } of rows) await client.query(text);
}

/** The database's reason, with a hint where the login or the server is the wrong one. */
function reasonOf(error: unknown): string {
  const { code, message } = error as pg.DatabaseError;
  if (code === '25006') return `${message}: DATABASE_URL has to name a server that takes writes, no standby`;
  if (code === '42501' && message.includes('set role')) return `${message}: ${WHAT_TO_GRANT}`;
  return code === '42501'
    ? `${message}: the login has to own the database, with createrole (docs/deploy-to-a-server.md)`
    : message;
}

function makeClient(url: string): WatchedClient {
  const client = new WatchedClient({
    connectionString: url,
    application_name: MIGRATES_AS,
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
  });
  // The failing statement reports a lost connection. Without a listener the error would end the process.
  client.on('error', () => {});
  return client;
}

interface Applied {
  name: string;
  sha256: string;
  oldest: number | null;
}

async function appliedMigrations(client: pg.Client): Promise<Applied[]> {
  const { rows } = await client.query<Applied>(
    'select name, sha256, oldest from schema_migrations order by name',
  );
  return rows;
}

function pendingMigrations(
  known: readonly Migration[],
  applied: readonly Applied[],
  log?: MigrationLog,
): Migration[] {
  const was = new Map(applied.map((row) => [row.name, row]));
  const changed = known.find(({ name, sha256 }) => was.has(name) && was.get(name)?.sha256 !== sha256);
  if (changed)
    throw new MigrationError(
      `Migration ${changed.name} was applied with other contents than this version has.`,
    );
  const pending = known.filter(({ name }) => !was.has(name));
  const names = new Set(known.map(({ name }) => name));
  const ahead = applied.filter(({ name }) => !names.has(name));
  if (ahead.length === 0) return pending;
  const oldest = Math.max(...ahead.map((row) => row.oldest ?? numberOf(row.name)));
  const list = ahead.map(({ name }) => name).join(', ');
  if (pending.length > 0 || oldest > versionOf(known)) {
    throw new MigrationError(
      `The database is ahead of this version of the service: it has ${list}. Start the version that made it, or a newer one.`,
    );
  }
  log?.warn(
    { ahead: list },
    'the database is ahead of this version of the service, which may still run on it',
  );
  return [];
}
