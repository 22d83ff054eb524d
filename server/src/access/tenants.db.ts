import type { Queryable, Tx } from '../platform/db/queryable.ts';
import { fragment, sql } from '../platform/db/sql.ts';

export interface TenantRow {
  id: string;
  name: string;
  created_at: Date;
}

const columns = fragment('id, name, created_at');

export async function insertTenant(
  q: Queryable,
  tenant: { id: string; name: string; wrapped_key: Buffer },
): Promise<TenantRow> {
  const [row] = await q.rows(
    sql<TenantRow>`insert into tenants (id, name, wrapped_key) values (${tenant.id}, ${tenant.name}, ${tenant.wrapped_key})
                   returning ${columns}`,
  );
  return row as TenantRow;
}

/**
 * Waits until no other transaction may be making the first tenant, and keeps the others waiting until this one's end.
 * What is read next sees what they made.
 */
export const lockFirstTenant = (tx: Tx) =>
  tx.rows(sql`select pg_advisory_xact_lock(hashtextextended('first tenant', 0))`);

export const countTenants = (q: Queryable) =>
  q
    .rows(sql<{ count: number }>`select count(*) from tenants where not is_platform`)
    .then(([row]) => row?.count ?? 0);

export const listTenants = (q: Queryable, limit: number, offset: number) =>
  q.rows(
    sql<TenantRow & { total: number }>`
      select ${columns}, count(*) over () as total from tenants where not is_platform
      order by created_at desc, id limit ${limit} offset ${offset}`,
  );
