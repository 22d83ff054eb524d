import { NOW, sql } from '../platform/db/sql.ts';

/** Instances that were terminated so long ago (in the system scope). */
export const listTerminated = (days: number, limit: number) =>
  sql<{ id: string; tenant_id: string }>`
    select id, tenant_id from instances
    where status = 'terminated' and updated_at <= ${NOW}::timestamptz - ${days}::int * interval '1 day'
    order by updated_at limit ${limit}`;

/** Deletes an instance with everything that refers to it (in the tenant's scope). */
export const deleteTerminated = (id: string) => sql`select delete_terminated_instance(${id})`;
