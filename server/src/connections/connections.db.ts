import { BOUNDS } from '../catalogue/bounds.contract.ts';
import type { RowOf } from '../platform/db/rows.ts';
import { fragment, NOW, sql } from '../platform/db/sql.ts';
import { type Connection, EXPIRING_DAYS } from './connections.contract.ts';

export type ConnectionRow = RowOf<typeof Connection>;

export interface ConnectionState {
  provider: string;
  name: string | null;
  status: ConnectionRow['status'];
}

interface NewConnection {
  id: string;
  customer_id: string;
  provider: string;
  name: string | null | undefined;
  sealed_credentials: Buffer;
  expires_at: Date | string | null | undefined;
  allowed_hosts: readonly string[];
}

/** Absent fields stay. */
interface ConnectionChanges {
  name?: string | null | undefined;
  sealed_credentials?: Buffer | undefined;
  expires_at?: Date | string | null | undefined;
  allowed_hosts?: readonly string[] | undefined;
}

const columns = fragment(
  'id, tenant_id, customer_id, provider, name, last_error, expires_at, allowed_hosts, created_at',
);

/** The unrevoked connections, newest first. */
export const listConnections = (
  { customer_id, search, isNamed }: { customer_id: string; search: string; isNamed: boolean },
  limit: number,
  offset: number,
) =>
  sql<ConnectionRow & { total: number }>`
    select ${columns}, connection_status(connections, ${NOW}) as status, count(*) over () as total,
           customer_name_of(connections.customer_id, ${isNamed}) as customer_name
    from connections
    where customer_id = ${customer_id} and revoked_at is null
      and contains_text(${search}, provider, name)
    order by created_at desc, id limit ${limit} offset ${offset}`;

/** undefined: any. */
interface ConnectionFilter {
  status?: ConnectionRow['status'] | undefined;
  provider?: string | undefined;
  expiring?: boolean | undefined;
  customer_id?: string | undefined;
}

/** All customers’ connections, newest first. Without a status, the unrevoked ones. */
export const listAllConnections = (
  { status, provider, expiring, customer_id }: ConnectionFilter,
  isNamed: boolean,
  limit: number,
  offset: number,
) =>
  sql<ConnectionRow & { total: number }>`
    select ${columns}, status, count(*) over () as total,
           customer_name_of(c.customer_id, ${isNamed}) as customer_name
    from (select *, connection_status(connections, ${NOW}) as status from connections) c
    where status = coalesce(${status}, status) and (${status}::text is not null or revoked_at is null)
      and provider = coalesce(${provider}, provider) and customer_id = coalesce(${customer_id}::uuid, customer_id)
      and (not ${expiring ?? false}::boolean
           or status = 'active' and expires_at <= ${NOW}::timestamptz + ${EXPIRING_DAYS}::int * interval '1 day')
    order by created_at desc, id limit ${limit} offset ${offset}`;

/** Including revoked and expired ones, oldest first. */
export const listConnectionStates = (customer_id: string) =>
  sql<ConnectionState>`
    select provider, name, connection_status(connections, ${NOW}) as status from connections
    where customer_id = ${customer_id}
    order by created_at, id`;

/** Raises 422, which stops the statements after it. Needs lockCustomer before. */
export const hasRoomForConnection = (customer_id: string) =>
  sql`select must_fit(count(*), ${BOUNDS.customer.connections}, 'connections') from connections
      where customer_id = ${customer_id} and revoked_at is null`;

/** undefined for an unknown customer */
export const insertConnection = (connection: NewConnection, isNamed: boolean) => {
  const { id, customer_id, provider, name, sealed_credentials, expires_at, allowed_hosts } = connection;
  return sql<ConnectionRow>`
    insert into connections (id, tenant_id, customer_id, provider, name, sealed_credentials, expires_at, allowed_hosts)
    select ${id}, tenant_id, id, ${provider}, ${name}, ${sealed_credentials}, ${expires_at}, ${allowed_hosts}
    from customers where id = ${customer_id}
    returning ${columns}, connection_status(connections, ${NOW}) as status,
      customer_name_of(connections.customer_id, ${isNamed}) as customer_name`.first();
};

/** undefined for an unknown or revoked connection */
export const updateConnection = (
  ids: { customer_id: string; connection_id: string },
  { name, sealed_credentials, expires_at, allowed_hosts }: ConnectionChanges,
  isNamed: boolean,
) =>
  sql<ConnectionRow>`
    update connections set
      name = case when ${name !== undefined}::boolean then ${name} else name end,
      sealed_credentials = coalesce(${sealed_credentials}, sealed_credentials),
      expires_at = case when ${expires_at !== undefined}::boolean then ${expires_at} else expires_at end,
      allowed_hosts = coalesce(${allowed_hosts}, allowed_hosts)
    where id = ${ids.connection_id} and customer_id = ${ids.customer_id} and revoked_at is null
    returning ${columns}, connection_status(connections, ${NOW}) as status,
      customer_name_of(connections.customer_id, ${isNamed}) as customer_name`.first();

/** Deletes the credentials. False when unknown or revoked. */
export const revokeConnection = (ids: { customer_id: string; connection_id: string }) =>
  sql`update connections set revoked_at = ${NOW}, sealed_credentials = null
      where id = ${ids.connection_id} and customer_id = ${ids.customer_id} and revoked_at is null
      returning id`.exists();

interface SealedConnection {
  id: string;
  sealed_credentials: Buffer;
  allowed_hosts: string[];
}

/** Live, oldest first. */
export const listProviderConnections = (customer_id: string, provider: string) =>
  sql<SealedConnection>`
    select id, sealed_credentials, allowed_hosts from connections
    where customer_id = ${customer_id} and provider = ${provider} and revoked_at is null
      and (expires_at is null or expires_at > ${NOW})
    order by created_at, id`;

/** Does nothing when the credentials have been replaced meanwhile. */
export const refuseConnection = (
  { id, sealed_credentials }: { id: string; sealed_credentials: Buffer },
  error: string,
  probeMinutes: number,
) =>
  sql`update connections set refused_at = coalesce(refused_at, ${NOW}), last_error = ${error},
        probe_at = ${NOW}::timestamptz + ${probeMinutes}::int * interval '1 minute'
      where id = ${id} and sealed_credentials = ${sealed_credentials}`;

/** Lets one message at a time try refused credentials. */
export const claimProbe = (id: string, probeMinutes: number) =>
  sql`update connections set probe_at = ${NOW}::timestamptz + ${probeMinutes}::int * interval '1 minute'
      where id = ${id} and (probe_at is null or probe_at <= ${NOW}) returning id`.exists();

/** @returns the customer, if the connection was refused until now */
export const acceptConnection = (id: string) =>
  sql<{ customer_id: string }>`
    update connections set refused_at = null, last_error = null, probe_at = null
    where id = ${id} and refused_at is not null returning customer_id`
    .first()
    .map((row) => row?.customer_id);
