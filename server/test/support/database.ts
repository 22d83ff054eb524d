import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { expect, inject, vi } from 'vitest';
import { databaseUrl, queryOnce } from './connection.ts';

export interface TestDatabase {
  url: string;
  loginUrl: string;
  /** As the owner, past every policy. */
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
  drop(): Promise<void>;
}

/**
 * Clones the migrated template.
 *
 * @param from another template
 */
export async function createTestDatabase(from = inject('templateName')): Promise<TestDatabase> {
  const name = `${inject('databasePrefix')}${randomBytes(6).toString('hex')}`;
  const adminUrl = inject('adminUrl');
  await queryOnce(adminUrl, `create database ${name} template ${from} strategy ${inject('cloneStrategy')}`);
  const url = databaseUrl(adminUrl, name);
  const pool = new pg.Pool({ connectionString: url, allowExitOnIdle: true });
  // Tests may end the connections of their database.
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

/** Waits until this many transactions wait for a lock. */
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

/** A backend takes a moment to end after its connection. Those that stay were not closed. */
async function connectionsLeft(adminUrl: string, name: string): Promise<Connection[]> {
  // Autovacuum ends when the database is dropped.
  const text = `select application_name, state, query from pg_stat_activity
                where datname = $1 and backend_type = 'client backend'`;
  for (const deadline = Date.now() + 60_000; ; ) {
    const left = await queryOnce<Connection & pg.QueryResultRow>(adminUrl, text, [name]);
    if (left.length === 0 || Date.now() > deadline) return left;
  }
}
