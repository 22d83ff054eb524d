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
      if (left > 0) throw new Error(`${left} connections to the test's database were left open`);
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

/** A closed connection's backend takes a moment to go; what is there after two seconds was not closed. */
async function connectionsLeft(adminUrl: string, name: string): Promise<number> {
  const text = 'select count(*)::int as count from pg_stat_activity where datname = $1';
  for (const deadline = Date.now() + 2000; ; ) {
    const [row] = await once<{ count: number }>(adminUrl, text, [name]);
    if (row?.count === 0 || Date.now() > deadline) return row?.count ?? 0;
  }
}
