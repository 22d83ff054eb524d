import pg from 'pg';

export function databaseUrl(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}

/** The connection is closed afterwards. Policies do not apply when the login is the owner. */
export async function withConnection<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** On a new connection. */
export const queryOnce = <Row extends pg.QueryResultRow>(url: string, text: string, values: unknown[] = []) =>
  withConnection(url, async (client) => (await client.query<Row>(text, values)).rows);

/** On a new connection. The transaction stays open until the test ends it. */
export async function openTransaction(
  url: string,
  ...statements: (readonly [text: string, values: unknown[]])[]
): Promise<{ end: (how: 'commit' | 'rollback') => Promise<void> }> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('begin');
  for (const [text, values] of statements) await client.query(text, values);
  const end = async (how: 'commit' | 'rollback') => {
    await client.query(how);
    await client.end();
  };
  return { end };
}
