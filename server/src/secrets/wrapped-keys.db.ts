import type { Queryable } from '../platform/db/queryable.ts';
import { sql } from '../platform/db/sql.ts';

export const insertServiceKey = (q: Queryable, id: string, wrapped_key: Buffer) =>
  q.rows(
    sql`insert into service_keys (id, wrapped_key) values (${id}, ${wrapped_key}) on conflict do nothing`,
  );

export const listServiceKeys = (q: Queryable) =>
  q.rows(sql<{ id: string; wrapped_key: Buffer }>`select id, wrapped_key from service_keys`);

export async function findTenantKey(q: Queryable, id: string): Promise<Buffer | undefined> {
  const [row] = await q.rows(sql<{ wrapped_key: Buffer }>`select wrapped_key from tenants where id = ${id}`);
  return row?.wrapped_key;
}
