import { sql } from '../platform/db/sql.ts';

/** An existing key stays. */
export const insertServiceKey = (id: string, wrapped_key: Buffer) =>
  sql`insert into service_keys (id, wrapped_key) values (${id}, ${wrapped_key}) on conflict do nothing`;

export const listServiceKeys = () =>
  sql<{ id: string; wrapped_key: Buffer }>`select id, wrapped_key from service_keys`;

export const findTenantKey = (tenant_id: string) =>
  sql<{ wrapped_key: Buffer }>`select wrapped_key from tenants where id = ${tenant_id}`
    .first()
    .map((row) => row?.wrapped_key);
