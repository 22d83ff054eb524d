import { NOW, sql } from '../platform/db/sql.ts';

/** The one job that deletes what has served its time; a start enqueues it, and it runs for ever. */
export const PURGE = { kind: 'purge', key: 'all' };

/** Tenants whose oldest recorded call or change is older (in the system scope). */
export const listTenantsWithAuditBefore = (time: Date) =>
  sql<{ id: string }>`
    select id from tenants t
    where (select at from tool_calls where tenant_id = t.id order by seq limit 1) < ${time}
       or (select at from audit_changes where tenant_id = t.id order by seq limit 1) < ${time}`.each(
    ({ id }) => id,
  );

/** Instances that were terminated so long ago (in the system scope). */
export const listTerminated = (days: number, limit: number) =>
  sql<{ id: string; tenant_id: string }>`
    select id, tenant_id from instances
    where status = 'terminated' and updated_at <= ${NOW}::timestamptz - ${days}::int * interval '1 day'
    order by updated_at limit ${limit}`;

/** With everything that refers to it (in the tenant's scope). */
export const deleteTerminated = (id: string) => sql`select delete_terminated_instance(${id})`;
