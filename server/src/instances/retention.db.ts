import { NOW, sql } from '../platform/db/sql.ts';

/** In the system scope. */
export const listTerminated = (days: number, limit: number) =>
  sql<{ id: string; tenant_id: string }>`
    select id, tenant_id from instances
    where status = 'terminated' and updated_at <= ${NOW}::timestamptz - ${days}::int * interval '1 day'
    order by updated_at limit ${limit}`;

/** In the tenant's scope. */
export const deleteTerminated = (id: string) => sql`select delete_terminated_instance(${id})`;
