import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { ROLES, WHAT_TO_GRANT } from './connection-check.ts';
import { type Migration, type RoomFile, type Schema, versionOf } from './schema-files.ts';
import { connectInTurn, KEPT_ALIVE, READ_ONLY, Servers, WatchedClient } from './servers.ts';
import { orUnreachable, whyNotConnected } from './unreachable.ts';

/** The session's application_name: tells other copies that a migration is running. */
export const MIGRATES_AS = 'agent-control-plane migrate';
/** Short, because a start tries again and must find a database that is back soon. */
const CONNECT_WITHIN_MS = 5000;
/** Lock timeout of a migration's statements: everybody else queues behind a waiting one. */
const LOCK_TIMEOUT_MS = 1500;
const FIRST_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 15_000;
/** A long backup may hold locks for hours, so there is no limit: the operator decides how long to wait. */
const TRIES = 240;
/** A login may have limits that fit its statements. */
const WITHOUT_LIMITS = 'set statement_timeout = 0; set idle_in_transaction_session_timeout = 0';
const CREATE_LISTS = `
  create table schema_migrations
    (name text primary key, sha256 text not null, applied_at timestamptz not null default now(), oldest integer not null);
  create table schema_files
    (name text primary key, sha256 text not null, applied_at timestamptz not null default now(), version integer not null)`;
/** Log of a migration's progress. */
export interface MigrationLog {
  info(values: object, message: string): void;
  warn(values: object, message: string): void;
}

/** The database is ahead of this code, or its history was rewritten; the code must not touch it. */
class MigrationError extends Error {}

/**
 * Brings the database to this code's schema, one process at a time: pending migrations in their order, then the files of
 * rooms that have changed. Each is a transaction that waits only shortly for locks, and is tried again. Refuses a database
 * with migrations that this code does not know, unless they allow this version, or that it knows with other contents.
 * @param servedBy another login that is to enter the service's roles
 * @returns the names of migrations and files applied now
 */
export async function migrate(
  url: string,
  schema: Schema,
  servedBy?: string,
  log?: MigrationLog,
): Promise<string[]> {
  const client = await connectInTurn(new Servers(url), makeClient).catch((error: unknown) => {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = `The database (DATABASE_URL) cannot be reached: ${message || code}`;
    throw new MigrationError(reason, { cause: whyNotConnected(error) });
  });
  try {
    return await migrateBy(client, schema, servedBy, log);
  } catch (error) {
    throw error instanceof MigrationError ? error : notMigrated(error);
  } finally {
    await client.end();
  }
}

async function migrateBy(
  client: pg.Client,
  schema: Schema,
  servedBy?: string,
  log?: MigrationLog,
): Promise<string[]> {
  await client.query(WITHOUT_LIMITS);
  // A session-level lock, because each migration commits.
  await client.query(`select pg_advisory_lock(hashtext('agent-control-plane migrations'))`);
  await createLists(client);
  const names = await bringUp(client, schema, log);
  if (servedBy !== undefined) await letIn(client, servedBy);
  return names;
}

const notMigrated = (error: unknown) =>
  new MigrationError(`The database cannot be migrated: ${reasonOf(error)}`, { cause: orUnreachable(error) });

/** Looks first: even "if not exists" waits for all readers of the table. */
async function createLists(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ is_there: boolean; is_former: boolean }>(
    `select to_regclass('schema_files') is not null as is_there,
            to_regclass('schema_migrations') is not null as is_former`,
  );
  if (rows[0]?.is_there) return;
  if (rows[0]?.is_former)
    throw new MigrationError(
      'The database cannot be migrated: it was made by a version from before the first release ' +
        '(0001_baseline.sql): start with a new one',
    );
  await client.query(CREATE_LISTS);
}

async function bringUp(client: pg.Client, schema: Schema, log?: MigrationLog): Promise<string[]> {
  const applied = await appliedMigrations(client);
  const ahead = aheadOf(schema, applied);
  if (ahead !== undefined) {
    const warning = 'the database is ahead of this version of the service, which may still run on it';
    log?.warn({ ahead }, warning);
    return [];
  }
  const known = new Set(applied.map(({ name }) => name));
  const pending = schema.migrations.filter(({ name }) => !known.has(name));
  for (const migration of pending) {
    await inTime(client, migration.name, () => applyMigration(client, migration), log);
    if (applied.length > 0) log?.info({ migration: migration.name }, 'a migration was applied');
  }
  if (applied.length === 0) log?.info({ migrations: pending.length }, 'a new database was migrated');
  const changed = await changedFiles(client, schema);
  for (const file of changed)
    await inTime(client, file.name, () => applyFile(client, file, versionOf(schema)), log);
  if (applied.length > 0 && changed.length > 0)
    log?.info({ files: changed.map(({ name }) => name) }, 'functions and triggers were applied');
  return [...pending, ...changed].map(({ name }) => name);
}

/** Retries after a lock timeout; in the pause, waiting sessions proceed. */
async function inTime(
  client: pg.Client,
  name: string,
  apply: () => Promise<void>,
  log?: MigrationLog,
): Promise<void> {
  for (let tries = 1, pauseMs = FIRST_PAUSE_MS; ; tries++, pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
    try {
      await client.query(`begin; set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
      await apply();
      await client.query('commit');
      return;
    } catch (error) {
      // A lost connection has said why already.
      await client.query('rollback').catch(() => {});
      const { code } = error as pg.DatabaseError;
      // 55P03 lock_timeout, 40P01 deadlock.
      if ((code !== '55P03' && code !== '40P01') || tries === TRIES)
        throw new MigrationError(`Migration ${name} failed: ${reasonOf(error)}`, {
          cause: orUnreachable(error),
        });
      log?.warn({ migration: name, tries }, 'a migration waits for a lock that another session holds');
      await sleep(pauseMs);
    }
  }
}

async function applyMigration(client: pg.Client, { name, text, sha256, oldest }: Migration): Promise<void> {
  await client.query(text);
  const noted = 'insert into schema_migrations (name, sha256, oldest) values ($1, $2, $3)';
  await client.query(noted, [name, sha256, oldest]);
}

async function applyFile(
  client: pg.Client,
  { name, text, sha256 }: RoomFile,
  version: number,
): Promise<void> {
  // Functions call functions of files that are applied later.
  await client.query(`set local check_function_bodies = off; ${text}`);
  await client.query(
    `insert into schema_files (name, sha256, version) values ($1, $2, $3)
     on conflict (name) do update set sha256 = excluded.sha256, version = excluded.version, applied_at = now()`,
    [name, sha256, version],
  );
}

async function changedFiles(client: pg.Client, { roomFiles }: Schema): Promise<RoomFile[]> {
  const { rows } = await client.query<{ name: string; sha256: string }>(
    'select name, sha256 from schema_files',
  );
  const applied = new Map(rows.map(({ name, sha256 }) => [name, sha256]));
  return roomFiles.filter(({ name, sha256 }) => applied.get(name) !== sha256);
}

/** At each start, because a restored database lacks the memberships. */
async function letIn(client: pg.Client, login: string): Promise<void> {
  const { rows } = await client.query<{ text: string }>(
    `select format('grant %I to %I', role, $1::text) as text from unnest($2::text[]) as role
     where not pg_has_role($1::text, role, 'member')`,
    [login, ROLES],
  );
  for (const { text } of rows) await client.query(text);
}

/** Adds a hint if the login or the server is wrong. */
function reasonOf(error: unknown): string {
  const { code, message } = error as pg.DatabaseError;
  if (code === READ_ONLY)
    return `${message}: DATABASE_URL has to name a server that takes writes, no standby`;
  if (code === '42501' && message.includes('set role')) return `${message}: ${WHAT_TO_GRANT}`;
  return code === '42501'
    ? `${message}: the login has to own the database, with createrole (docs/deploy-to-a-server.md)`
    : message;
}

function makeClient(url: string): WatchedClient {
  const client = new WatchedClient({
    ...KEPT_ALIVE,
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
  oldest: number;
}

async function appliedMigrations(client: pg.Client): Promise<Applied[]> {
  const { rows } = await client.query<Applied>(
    'select name, sha256, oldest from schema_migrations order by name',
  );
  return rows;
}

/** Lists the database's migrations that this version does not know; undefined if there are none. */
function aheadOf(schema: Schema, applied: readonly Applied[]): string | undefined {
  const was = new Map(applied.map((row) => [row.name, row]));
  const changed = schema.migrations.find(
    ({ name, sha256 }) => was.has(name) && was.get(name)?.sha256 !== sha256,
  );
  if (changed)
    throw new MigrationError(
      `Migration ${changed.name} was applied with other contents than this version has.`,
    );
  const names = new Set(schema.migrations.map(({ name }) => name));
  const ahead = applied.filter(({ name }) => !names.has(name));
  if (ahead.length === 0) return undefined;
  const oldest = Math.max(...ahead.map((row) => row.oldest));
  const list = ahead.map(({ name }) => name).join(', ');
  if (schema.migrations.some(({ name }) => !was.has(name)) || oldest > versionOf(schema)) {
    throw new MigrationError(
      `The database is ahead of this version of the service: it has ${list}. Start the version that made it, or a newer one.`,
    );
  }
  return list;
}
