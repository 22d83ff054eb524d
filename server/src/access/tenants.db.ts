import type { Static } from 'typebox';
import type { RowOf } from '../platform/db/rows.ts';
import { fragment, json, NOW, sql } from '../platform/db/sql.ts';
import type { WrappedRow } from '../secrets/master-keys.db.ts';
import type { Tenant, TenantDetail, TenantUpdate } from './tenants.contract.ts';

const columns = fragment('id, id as tenant_id, name, is_active, created_at');
const detailColumns = fragment(`${columns.text}, default_limits() || limits as limits`);

export const insertTenant = (tenant: { id: string; name: string; wrapped_key: Buffer }) =>
  sql`insert into tenants (id, name, wrapped_key) values (${tenant.id}, ${tenant.name}, ${tenant.wrapped_key})`;

/** Serialises creation of the first tenant; later statements see earlier tenants. */
export const lockFirstTenant = () => sql`select pg_advisory_xact_lock(hashtextextended('first tenant', 0))`;

/** Ignores the platform's own tenant. */
export const tenantsExist = () => sql`select from tenants where not is_platform limit 1`.exists();

const counted = (name: string) =>
  `coalesce((select used from tenant_counts c where c.tenant_id = t.id and c.name = '${name}'), 0)::int as ${name}`;
const counts = fragment(['instances', 'customers', 'users'].map(counted).join(', '));

/** With what they have and spend (in the system scope). */
export const listTenants = (search: string, limit: number, offset: number) =>
  sql<RowOf<typeof Tenant> & { total: number }>`
    select ${columns}, ${counts},
           coalesce((select trim_scale(cost)::text from llm_spending s
                     where s.tenant_id = t.id and s.customer_id is null and s.instance_id is null
                       and s.month = date_trunc('month', ${NOW}::timestamptz at time zone 'UTC')::date), '0') as month_cost,
           count(*) over () as total
    from tenants t where not is_platform and contains_text(${search}, name)
    order by created_at desc, id limit ${limit} offset ${offset}`;

/** With effective limits (in the system scope). */
export const findTenant = (id: string) =>
  sql<RowOf<typeof TenantDetail>>`
    select ${detailColumns} from tenants where id = ${id} and not is_platform`.first();

/** Absent fields stay; a null limit resets to its default (in the system scope). */
export const updateTenant = (id: string, { name, is_active, limits }: Static<typeof TenantUpdate>) =>
  sql<RowOf<typeof TenantDetail>>`
    update tenants set name = coalesce(${name}, name), is_active = coalesce(${is_active}, is_active),
      limits = jsonb_strip_nulls(limits || ${json(limits ?? {})}::jsonb)
    where id = ${id} and not is_platform returning ${detailColumns}`.first();

/** False, without a change, when the key was replaced since it was read (in the system scope). */
export const replaceTenantKey = (row: WrappedRow, wrapped: Buffer) =>
  sql`update tenants set wrapped_key = ${wrapped} where id = ${row.id} and wrapped_key = ${row.wrapped}
      returning id`.exists();
