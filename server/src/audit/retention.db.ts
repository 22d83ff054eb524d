import { sql } from '../platform/db/sql.ts';

/** Tenants whose oldest recorded call or change is older (in the system scope). */
export const listTenantsWithAuditBefore = (time: Date) =>
  sql<{ id: string }>`
    select id from tenants t
    where (select at from tool_calls where tenant_id = t.id order by seq limit 1) < ${time}
       or (select at from audit_changes where tenant_id = t.id order by seq limit 1) < ${time}`.each(
    ({ id }) => id,
  );
