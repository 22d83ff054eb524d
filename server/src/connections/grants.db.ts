import { servedCustomers } from '../customers/served-customers.db.ts';
import type { Queryable } from '../platform/db/queryable.ts';
import { json, sql } from '../platform/db/sql.ts';

/**
 * Lets an instance use those live connections of a customer that its configuration asks for: of each requirement's
 * provider, and of its name where it has one.
 */
export const grantConnections = (
  q: Queryable,
  instance_id: string,
  customer_id: string,
  requirements: readonly { provider: string; name: string | null }[],
) =>
  q.rows(
    sql`insert into instance_grants (tenant_id, instance_id, connection_id)
        select distinct c.tenant_id, ${instance_id}::uuid, c.id
        from connections c
        join jsonb_to_recordset(${json(requirements)}) as wanted (provider text, name text)
          on wanted.provider = c.provider and (wanted.name is null or wanted.name = c.name)
        where c.customer_id = ${customer_id} and c.revoked_at is null
        on conflict do nothing`,
  );

/** Takes back what an instance may use of a deployment's customer, unless another of the customer's is on it. */
export const revokeGrants = (
  q: Queryable,
  { id, instance_id, customer_id }: { id: string; instance_id: string; customer_id: string },
) =>
  q.rows(
    sql`delete from instance_grants g using connections c
        where g.instance_id = ${instance_id} and c.id = g.connection_id and c.customer_id = ${customer_id}
          and not exists (select from deployments d where d.instance_id = g.instance_id and d.id <> ${id}
                          and d.customer_id = c.customer_id and d.released_at is null)`,
  );

export const deleteGrants = (q: Queryable, instance_id: string) =>
  q.rows(sql`delete from instance_grants where instance_id = ${instance_id}`);

export interface GrantedConnection {
  id: string;
  customer_id: string;
  provider: string;
  name: string | null;
  sealed_credentials: Buffer;
}

/** The live connections that an instance may use now, of the customers that it serves; oldest first. */
export const listGrantedConnections = (q: Queryable, instance_id: string, now: Date) =>
  q.rows(
    sql<GrantedConnection>`
      select c.id, c.customer_id, c.provider, c.name, c.sealed_credentials
      from instance_grants g join connections c on c.id = g.connection_id
      where g.instance_id = ${instance_id} and c.revoked_at is null
        and (c.expires_at is null or c.expires_at > ${now})
        and c.customer_id in (${servedCustomers} ${instance_id})
      order by c.created_at, c.id`,
  );
