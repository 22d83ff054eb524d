import type { RowOf } from '../platform/db/rows.ts';
import { sql } from '../platform/db/sql.ts';
import type { Tenant } from './tenants.contract.ts';

export const insertTenant = (tenant: { id: string; name: string; wrapped_key: Buffer }) =>
  sql`insert into tenants (id, name, wrapped_key) values (${tenant.id}, ${tenant.name}, ${tenant.wrapped_key})`;

/** Serialises the transactions that create the first tenant. A later statement sees the tenants of earlier ones. */
export const lockFirstTenant = () => sql`select pg_advisory_xact_lock(hashtextextended('first tenant', 0))`;

/** True where there is a tenant besides the platform itself. */
export const tenantsExist = () => sql`select from tenants where not is_platform limit 1`.exists();

export const listTenants = (limit: number, offset: number) =>
  sql<RowOf<typeof Tenant> & { total: number }>`
    select id, id as tenant_id, name, created_at, count(*) over () as total from tenants where not is_platform
    order by created_at desc, id limit ${limit} offset ${offset}`;
