import type { Queryable } from './database.ts';
import { sql } from './sql.ts';

/** Rejects unless the database answers. (It was migrated before the service was built.) */
export async function checkDatabase(q: Queryable): Promise<void> {
  await q.rows(sql`select 1`);
}
