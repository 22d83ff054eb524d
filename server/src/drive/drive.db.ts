import { NOW, sql } from '../platform/db/sql.ts';

interface DriveConnectionRow {
  id: string;
  tenant_id: string;
  customer_id: string;
  provider: string;
  sealed_credentials: Buffer;
  /** From the customer's newest deployment on the instance. */
  data_access: unknown;
}

interface DriveConnectionFilter {
  providers: readonly string[];
  customer_id: string | null;
  name: string | null;
}

/** Live ones of customers that the instance serves now, oldest first. */
export const listDriveConnections = (instance_id: string, filter: DriveConnectionFilter) =>
  sql<DriveConnectionRow>`
    select c.id, c.tenant_id, c.customer_id, c.provider, c.sealed_credentials, served.data_access
    from connections c
    cross join lateral (
      select d.resolved_config -> 'data_access' as data_access from served_deployments d
      where d.instance_id = ${instance_id} and d.customer_id = c.customer_id
      order by d.created_at desc, d.id limit 1) served
    where c.provider = any (${filter.providers}) and c.revoked_at is null
      and (c.expires_at is null or c.expires_at > ${NOW})
      and (${filter.customer_id}::uuid is null or c.customer_id = ${filter.customer_id})
      and (${filter.name}::text is null or c.name = ${filter.name})
    order by c.created_at, c.id`;
