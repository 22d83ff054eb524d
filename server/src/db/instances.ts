import type { Queryable } from './database.ts';
import { sql } from './sql.ts';

/** In the system scope. */
export async function findInstanceTenant(q: Queryable, id: string): Promise<string | undefined> {
  const [row] = await q.rows(sql<{ tenant_id: string }>`select tenant_id from instances where id = ${id}`);
  return row?.tenant_id;
}
