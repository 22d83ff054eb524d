import { servedCustomers } from '../customers/served-customers.db.ts';
import { json, NOW, sql } from '../platform/db/sql.ts';

/** `name` null matches every connection of the provider. */
export const grantConnections = (
  instance_id: string,
  customer_id: string,
  requirements: readonly { provider: string; name: string | null }[],
) =>
  sql`insert into instance_grants (tenant_id, instance_id, connection_id)
      select distinct c.tenant_id, ${instance_id}::uuid, c.id
      from connections c
      join jsonb_to_recordset(${json(requirements)}) as wanted (provider text, name text)
        on wanted.provider = c.provider and (wanted.name is null or wanted.name = c.name)
      where c.customer_id = ${customer_id} and c.revoked_at is null
      on conflict do nothing`;

export const revokeOtherGrants = (
  instance_id: string,
  customer_id: string,
  requirements: readonly { provider: string; name: string | null }[],
) =>
  sql`delete from instance_grants g using connections c
      where g.instance_id = ${instance_id} and c.id = g.connection_id and c.customer_id = ${customer_id}
        and not exists (
          select from jsonb_to_recordset(${json(requirements)}) as wanted (provider text, name text)
          where wanted.provider = c.provider and (wanted.name is null or wanted.name = c.name))`;

/** Keeps grants while another deployment of the customer is on the instance. */
export const revokeGrants = (deployment: { id: string; instance_id: string; customer_id: string }) =>
  sql`delete from instance_grants g using connections c
      where g.instance_id = ${deployment.instance_id} and c.id = g.connection_id
        and c.customer_id = ${deployment.customer_id}
        and not exists (select from served_deployments d where d.instance_id = g.instance_id and d.id <> ${deployment.id}
                        and d.customer_id = c.customer_id)`;

export const deleteGrants = (instance_id: string) =>
  sql`delete from instance_grants where instance_id = ${instance_id}`;

export const deleteGrantsOf = (connection_id: string) =>
  sql`delete from instance_grants where connection_id = ${connection_id}`;

interface GrantedConnection {
  id: string;
  customer_id: string;
  provider: string;
  name: string | null;
  sealed_credentials: Buffer;
}

/** Live connections of customers that the instance serves now, oldest first. */
export const listGrantedConnections = (instance_id: string) =>
  sql<GrantedConnection>`
    select c.id, c.customer_id, c.provider, c.name, c.sealed_credentials
    from instance_grants g join connections c on c.id = g.connection_id
    where g.instance_id = ${instance_id} and c.revoked_at is null
      and (c.expires_at is null or c.expires_at > ${NOW})
      and c.customer_id in (${servedCustomers} ${instance_id})
    order by c.created_at, c.id`;
