import type { Queryable } from '../platform/db/queryable.ts';
import { sql } from '../platform/db/sql.ts';

export const insertServiceKey = (q: Queryable, id: string, wrapped_key: Buffer) =>
  q.rows(
    sql`insert into service_keys (id, wrapped_key) values (${id}, ${wrapped_key}) on conflict do nothing`,
  );

export const listServiceKeys = (q: Queryable) =>
  q.rows(sql<{ id: string; wrapped_key: Buffer }>`select id, wrapped_key from service_keys`);
