import pg from 'pg';

/** The address of another database of the same server. */
export function databaseUrl(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}

/** Gives `work` a connection of its own, past every policy when the login is the owner, and closes it in any case. */
export async function withConnection<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** One statement on a connection of its own. @returns its rows */
export const queryOnce = <Row extends pg.QueryResultRow>(url: string, text: string, values: unknown[] = []) =>
  withConnection(url, async (client) => (await client.query<Row>(text, values)).rows);
