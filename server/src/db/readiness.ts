import type { Queryable } from './database.ts';
import { sql } from './sql.ts';

/** Rejects unless the database answers and takes writes. (It was migrated before the service was built.) */
export async function checkDatabase(q: Queryable): Promise<void> {
  // Not transaction_read_only, which is on where reads travel together.
  const [row] = await q.rows(
    sql<{ is_read_only: boolean }>`
      select pg_is_in_recovery() or current_setting('default_transaction_read_only')::boolean as is_read_only`,
  );
  if (row?.is_read_only) throw new Error('The database takes no writes');
}
