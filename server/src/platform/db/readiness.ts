import { setTimeout as sleep } from 'node:timers/promises';
import type { Queryable } from './queryable.ts';
import { sql } from './sql.ts';

/** Health checks do not wait longer. */
const READY_WITHIN_MS = 5000;

/** Rejects unless the database answers in time and takes writes. It was migrated before the service was built. */
export async function checkDatabase(q: Queryable): Promise<void> {
  // Not transaction_read_only: grouped reads set it.
  const asked = q.run(
    sql<{ is_read_only: boolean }>`
      select pg_is_in_recovery() or current_setting('default_transaction_read_only')::boolean as is_read_only`,
  );
  const late = new AbortController();
  const tooLate = sleep(READY_WITHIN_MS, undefined, { ref: false, signal: late.signal }).then(() => {
    throw new Error('The database did not answer in time');
  });
  const [row] = await Promise.race([asked, tooLate]).finally(() => late.abort());
  if (row?.is_read_only) throw new Error('The database takes no writes');
}
