import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { ROLES, WHAT_TO_GRANT } from './connection-check.ts';

const CONNECT_WITHIN_MS = 10_000;
const CREATE_LIST =
  'create table if not exists schema_migrations (name text primary key, sha256 text not null, applied_at timestamptz not null default now())';

export const migrationsDirectory = join(import.meta.dirname, '../../../migrations');

interface Migration {
  name: string;
  text: string;
  sha256: string;
}

/** The database is ahead of this code, or its history was rewritten; the code must not touch it. */
class MigrationError extends Error {}

/** Numbered SQL files of a directory, in order. */
export async function readMigrations(directory = migrationsDirectory): Promise<Migration[]> {
  const names = (await readdir(directory)).filter((name) => /^\d{4}_[a-z_]+\.sql$/.test(name)).toSorted();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(directory, name), 'utf8');
      return { name, text, sha256: createHash('sha256').update(text).digest('hex') };
    }),
  );
}

/**
 * Brings the database to this code's schema, in one transaction, one process at a time. Refuses a database with
 * migrations that this code does not know, or knows with other contents.
 * @param servedBy another login that is to enter the service's roles
 * @returns the names applied now
 */
export async function migrate(
  url: string,
  migrations: readonly Migration[],
  servedBy?: string,
): Promise<string[]> {
  const client = await connect(url).catch((error: unknown) => {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = `The database (DATABASE_URL) cannot be reached: ${message || code}`;
    throw new MigrationError(reason, { cause: error });
  });
  try {
    await client.query('begin');
    await client.query(`select pg_advisory_xact_lock(hashtext('agent-control-plane migrations'))`);
    await client.query(CREATE_LIST).catch((error: unknown) => {
      throw new MigrationError(`The database cannot be migrated: ${reasonOf(error)}`, { cause: error });
    });
    const applied = await appliedMigrations(client);
    const pending = pendingMigrations(migrations, applied);
    for (const { name, text, sha256 } of pending) {
      try {
        await client.query(text);
      } catch (error) {
        throw new MigrationError(`Migration ${name} failed: ${reasonOf(error)}`, { cause: error });
      }
      await client.query('insert into schema_migrations (name, sha256) values ($1, $2)', [name, sha256]);
    }
    if (servedBy !== undefined) await letIn(client, servedBy);
    await client.query('commit');
    return pending.map((migration) => migration.name);
  } finally {
    await client.end();
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

/** Rejects for an unreachable or silent server, and for a missing file that the URL names. */
async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'agent-control-plane migrate',
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
  });
  // The failing statement reports a lost connection. Without a listener the error would end the process.
  client.on('error', () => {});
  await client.connect();
  return client;
}

async function appliedMigrations(client: pg.Client): Promise<Map<string, string>> {
  const { rows } = await client.query<{ name: string; sha256: string }>(
    'select name, sha256 from schema_migrations',
  );
  return new Map(rows.map((row) => [row.name, row.sha256]));
}

function pendingMigrations(known: readonly Migration[], applied: ReadonlyMap<string, string>): Migration[] {
  const names = new Set(known.map((migration) => migration.name));
  const ahead = [...applied.keys()].filter((name) => !names.has(name)).toSorted();
  if (ahead.length > 0) {
    throw new MigrationError(
      `The database is ahead of this version of the service: it has ${ahead.join(', ')}. Start the version that made it, or a newer one.`,
    );
  }
  for (const { name, sha256 } of known) {
    const was = applied.get(name);
    if (was !== undefined && was !== sha256) {
      throw new MigrationError(`Migration ${name} was applied with other contents than this version has.`);
    }
  }
  return known.filter((migration) => !applied.has(migration.name));
}
