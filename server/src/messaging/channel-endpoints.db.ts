import type { Queryable } from '../platform/db/queryable.ts';
import { fragment, sql } from '../platform/db/sql.ts';
import type { Channel } from './channel-endpoints.contract.ts';

export interface ChannelEndpointRow {
  id: string;
  tenant_id: string;
  channel: Channel;
  phone_number_id: string;
  instance_id: string;
  created_at: Date;
  updated_at: Date;
}

/** An app secret as it is kept, with the endpoint that it is sealed for. */
export interface SealedAppSecret {
  id: string;
  tenant_id: string;
  app_secret_hash: Buffer;
  sealed_app_secret: Buffer;
}

export interface EndpointSecrets {
  verify_token_hash: Buffer;
  app_secret_hash: Buffer;
  sealed_app_secret: Buffer;
}

const columns = fragment('id, tenant_id, channel, phone_number_id, instance_id, created_at, updated_at');

export const listChannelEndpoints = (q: Queryable, limit: number, offset: number) =>
  q.rows(
    sql<ChannelEndpointRow & { total: number }>`
      select ${columns}, count(*) over () as total from channel_endpoints
      order by created_at desc, id limit ${limit} offset ${offset}`,
  );

/** @returns undefined when the number is registered already, by whomever */
export async function insertChannelEndpoint(
  q: Queryable,
  endpoint: Omit<ChannelEndpointRow, 'tenant_id' | 'created_at' | 'updated_at'> & EndpointSecrets,
): Promise<ChannelEndpointRow | undefined> {
  const { id, channel, phone_number_id, instance_id } = endpoint;
  const { verify_token_hash, app_secret_hash, sealed_app_secret } = endpoint;
  const [row] = await q.rows(
    sql<ChannelEndpointRow>`
      insert into channel_endpoints
        (id, tenant_id, channel, phone_number_id, instance_id, verify_token_hash, app_secret_hash, sealed_app_secret)
      values (${id}, current_tenant(), ${channel}, ${phone_number_id}, ${instance_id},
              ${verify_token_hash}, ${app_secret_hash}, ${sealed_app_secret})
      on conflict (channel, phone_number_id) do nothing returning ${columns}`,
  );
  return row;
}

/** Changes what is given. */
export async function patchChannelEndpoint(
  q: Queryable,
  id: string,
  change: Partial<{ phone_number_id: string; instance_id: string } & EndpointSecrets>,
  now: Date,
): Promise<ChannelEndpointRow | undefined> {
  const [row] = await q.rows(
    sql<ChannelEndpointRow>`
      update channel_endpoints set
        phone_number_id = coalesce(${change.phone_number_id}, phone_number_id),
        instance_id = coalesce(${change.instance_id}, instance_id),
        verify_token_hash = coalesce(${change.verify_token_hash}, verify_token_hash),
        app_secret_hash = coalesce(${change.app_secret_hash}, app_secret_hash),
        sealed_app_secret = coalesce(${change.sealed_app_secret}, sealed_app_secret),
        updated_at = greatest(updated_at, ${now})
      where id = ${id} returning ${columns}`,
  );
  return row;
}

export async function deleteChannelEndpoint(q: Queryable, id: string): Promise<boolean> {
  return (await q.rows(sql`delete from channel_endpoints where id = ${id} returning id`)).length > 0;
}

/** In the system scope. */
export async function existsVerifyToken(q: Queryable, channel: Channel, hash: Buffer): Promise<boolean> {
  const rows = await q.rows(
    sql`select id from channel_endpoints where channel = ${channel} and verify_token_hash = ${hash} limit 1`,
  );
  return rows.length > 0;
}

/** The endpoints of these numbers, whosever they are (in the system scope). */
export const listEndpointsOfNumbers = (q: Queryable, channel: Channel, phone_number_ids: readonly string[]) =>
  q.rows(
    sql<SealedAppSecret & { phone_number_id: string }>`
      select id, tenant_id, phone_number_id, app_secret_hash, sealed_app_secret from channel_endpoints
      where channel = ${channel} and phone_number_id = any(${phone_number_ids}::text[])`,
  );

/** Each app secret once, in the order of its hash, from the one after `after` (in the system scope). */
export const listAppSecrets = (q: Queryable, channel: Channel, after: Buffer, limit: number) =>
  q.rows(
    sql<SealedAppSecret>`
      select distinct on (app_secret_hash) id, tenant_id, app_secret_hash, sealed_app_secret from channel_endpoints
      where channel = ${channel} and app_secret_hash > ${after} order by app_secret_hash, id limit ${limit}`,
  );
