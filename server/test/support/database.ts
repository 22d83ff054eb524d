import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

export interface TestDatabase {
  url: string;
  /** One statement as the owner, past every policy. */
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
  drop(): Promise<void>;
}

/** A database of one's own, cloned from the migrated template. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `acp_test_${randomBytes(6).toString('hex')}`;
  const adminUrl = inject('adminUrl');
  await once(adminUrl, `create database ${name} template ${inject('templateName')}`);
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    query: (text, values) => once(url.href, text, values),
    drop: async () => {
      const left = await connectionsLeft(adminUrl, name);
      await once(adminUrl, `drop database ${name} with (force)`);
      if (left.length > 0) {
        throw new Error(`Connections to the test's database were left open: ${JSON.stringify(left)}`);
      }
    },
  };
}

async function once<Row extends pg.QueryResultRow>(
  url: string,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}

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
  for (const deadline = Date.now() + 10_000; ; ) {
    const left = await once<Connection & pg.QueryResultRow>(adminUrl, text, [name]);
    if (left.length === 0 || Date.now() > deadline) return left;
  }
}
