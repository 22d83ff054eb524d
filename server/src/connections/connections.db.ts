import type { Queryable } from '../platform/db/queryable.ts';
import { fragment, sql } from '../platform/db/sql.ts';

export interface ConnectionRow {
  id: string;
  tenant_id: string;
  customer_id: string;
  provider: string;
  name: string | null;
  status: 'active' | 'expired';
  expires_at: Date | null;
  created_at: Date;
}

export interface NewConnection {
  id: string;
  customer_id: string;
  provider: string;
  name: string | null;
  sealed_credentials: Buffer;
  expires_at: Date | string | null;
}

const columns = fragment('id, tenant_id, customer_id, provider, name, expires_at, created_at');

/** The unrevoked ones, newest first. */
export const listConnections = (
  q: Queryable,
  customer_id: string,
  now: Date,
  limit: number,
  offset: number,
) =>
  q.rows(
    sql<ConnectionRow & { total: number }>`
      select ${columns}, case when expires_at <= ${now} then 'expired' else 'active' end as status,
             count(*) over () as total
      from connections where customer_id = ${customer_id} and revoked_at is null
      order by created_at desc, id limit ${limit} offset ${offset}`,
  );

/** What the deploy check has to know of all connections that a customer has or had, oldest first. */
export const listConnectionStates = (q: Queryable, customer_id: string) =>
  q.rows(
    sql<{ provider: string; name: string | null; expires_at: Date | null; revoked_at: Date | null }>`
      select provider, name, expires_at, revoked_at from connections where customer_id = ${customer_id}
      order by created_at, id`,
  );

/** @returns undefined when there is no such customer */
export async function insertConnection(
  q: Queryable,
  connection: NewConnection,
  now: Date,
): Promise<ConnectionRow | undefined> {
  const { id, customer_id, provider, name, sealed_credentials, expires_at } = connection;
  const [row] = await q.rows(
    sql<ConnectionRow>`
      insert into connections (id, tenant_id, customer_id, provider, name, sealed_credentials, expires_at)
      select ${id}, tenant_id, id, ${provider}, ${name}, ${sealed_credentials}, ${expires_at}
      from customers where id = ${customer_id}
      returning ${columns}, case when expires_at <= ${now} then 'expired' else 'active' end as status`,
  );
  return row;
}

/** Revokes a connection and forgets its credentials. @returns whether the customer had it unrevoked */
export async function revokeConnection(
  q: Queryable,
  ids: { customer_id: string; connection_id: string },
  now: Date,
): Promise<boolean> {
  const rows = await q.rows(
    sql`update connections set revoked_at = ${now}, sealed_credentials = null
        where id = ${ids.connection_id} and customer_id = ${ids.customer_id} and revoked_at is null returning id`,
  );
  return rows.length > 0;
}
