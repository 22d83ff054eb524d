import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { expect, inject, vi } from 'vitest';
import { databaseUrl, queryOnce } from './connection.ts';

export interface TestDatabase {
  /** As the owner. */
  url: string;
  /** As the login that services use. */
  loginUrl: string;
  /** One statement as the owner, past every policy. */
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
  drop(): Promise<void>;
}

/**
 * A database of one's own, cloned from the migrated template.
 * @param from another template, and what belongs to it; a service migrates by itself
 */
export async function createTestDatabase(from = inject('templateName')): Promise<TestDatabase> {
  const name = `${inject('databasePrefix')}${randomBytes(6).toString('hex')}`;
  const adminUrl = inject('adminUrl');
  await queryOnce(adminUrl, `create database ${name} template ${from} strategy ${inject('cloneStrategy')}`);
  const url = databaseUrl(adminUrl, name);
  const pool = new pg.Pool({ connectionString: url, allowExitOnIdle: true });
  // A test may end the connections of its database.
  pool.on('error', () => {});
  return {
    url,
    loginUrl: databaseUrl(inject('loginUrl'), name),
    query: async <Row extends pg.QueryResultRow>(text: string, values?: unknown[]) =>
      (await pool.query<Row>(text, values)).rows,
    drop: async () => {
      await pool.end();
      const left = await connectionsLeft(adminUrl, name);
      await queryOnce(adminUrl, `drop database ${name} with (force)`);
      if (left.length > 0) {
        throw new Error(`Connections to the test's database were left open: ${JSON.stringify(left)}`);
      }
    },
  };
}

/** Waits until as many transactions of the database wait for somebody else's lock. */
export const lockWaits = (database: TestDatabase, count: number) =>
  vi.waitFor(
    async () => {
      const waiting = await database.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      expect(waiting).toHaveLength(count);
    },
    { timeout: 60_000, interval: 20 },
  );

interface Connection {
  application_name: string;
  state: string;
  query: string;
}

/** A closed connection's backend takes a moment to go, longer on a busy machine; what stays was not closed. */
async function connectionsLeft(adminUrl: string, name: string): Promise<Connection[]> {
  // Autovacuum comes by itself, and goes when the database is dropped.
  const text = `select application_name, state, query from pg_stat_activity
                where datname = $1 and backend_type = 'client backend'`;
  for (const deadline = Date.now() + 60_000; ; ) {
    const left = await queryOnce<Connection & pg.QueryResultRow>(adminUrl, text, [name]);
    if (left.length === 0 || Date.now() > deadline) return left;
  }
}
