import { fragment, NOW, sql } from '../platform/db/sql.ts';
import type { Channel } from './channel-endpoints.contract.ts';

export interface ChannelEndpointRow {
  id: string;
  tenant_id: string;
  channel: Channel;
  phone_number_id: string;
  instance_id: string;
  hostname: string | null;
  customer_id: string | null;
  customer_name: string | null;
  connection_name: string | null;
  verified_at: Date | null;
  last_received_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

export interface EndpointSecrets {
  verify_token_hash: Buffer;
  app_secret_hash: Buffer;
  sealed_app_secret: Buffer;
}

/** With one verify token. */
const MOST_NOTED = 200;

const columns = fragment(`id, tenant_id, channel, phone_number_id, instance_id,
  (select hostname from instances where id = channel_endpoints.instance_id) as hostname, customer_id, connection_name,
  greatest(token_verified_at, verified_at) as verified_at, last_received_at, created_at, updated_at`);

export const listChannelEndpoints = (search: string, isNamed: boolean, limit: number, offset: number) =>
  sql<ChannelEndpointRow & { total: number }>`
    select ${columns}, count(*) over () as total,
           customer_name_of(channel_endpoints.customer_id, ${isNamed}) as customer_name
    from channel_endpoints
    where contains_text(${search}, phone_number_id, connection_name)
    order by created_at desc, id limit ${limit} offset ${offset}`;

type NewEndpoint = Pick<
  ChannelEndpointRow,
  'id' | 'channel' | 'phone_number_id' | 'instance_id' | 'customer_id' | 'connection_name'
>;

/** undefined when the tenant has registered the number already. */
export const insertChannelEndpoint = (endpoint: NewEndpoint & EndpointSecrets, isNamed: boolean) => {
  const { id, channel, phone_number_id, instance_id, customer_id, connection_name } = endpoint;
  const { verify_token_hash, app_secret_hash, sealed_app_secret } = endpoint;
  return sql<ChannelEndpointRow>`
    insert into channel_endpoints
      (id, tenant_id, channel, phone_number_id, instance_id, customer_id, connection_name, verify_token_hash, app_secret_hash, sealed_app_secret)
    values (${id}, current_tenant(), ${channel}, ${phone_number_id}, ${instance_id}, ${customer_id}, ${connection_name},
            ${verify_token_hash}, ${app_secret_hash}, ${sealed_app_secret})
    on conflict on constraint channel_endpoints_phone_number_id do nothing
    returning ${columns},
      customer_name_of(channel_endpoints.customer_id, ${isNamed}) as customer_name`.first();
};

/** null clears a field, undefined leaves it. */
export type EndpointChange = Partial<
  {
    phone_number_id: string;
    instance_id: string;
    customer_id: string | null;
    connection_name: string | null;
  } & EndpointSecrets
>;

/** A new secret or token was not verified yet. */
export const patchChannelEndpoint = (id: string, change: EndpointChange, isNamed: boolean) =>
  sql<ChannelEndpointRow>`
    update channel_endpoints set
      phone_number_id = coalesce(${change.phone_number_id}, phone_number_id),
      instance_id = coalesce(${change.instance_id}, instance_id),
      customer_id = case when ${change.customer_id !== undefined} then ${change.customer_id}::uuid else customer_id end,
      connection_name =
        case when ${change.connection_name !== undefined} then ${change.connection_name}::text else connection_name end,
      verify_token_hash = coalesce(${change.verify_token_hash}, verify_token_hash),
      app_secret_hash = coalesce(${change.app_secret_hash}, app_secret_hash),
      verified_at = case when app_secret_hash = coalesce(${change.app_secret_hash}, app_secret_hash) then verified_at end,
      token_verified_at =
        case when verify_token_hash = coalesce(${change.verify_token_hash}, verify_token_hash) then token_verified_at end,
      sealed_app_secret = coalesce(${change.sealed_app_secret}, sealed_app_secret),
      updated_at = greatest(updated_at, ${NOW})
    where id = ${id}
    returning ${columns},
      customer_name_of(channel_endpoints.customer_id, ${isNamed}) as customer_name`.first();

export const deleteChannelEndpoint = (id: string) =>
  sql`delete from channel_endpoints where id = ${id} returning id`.exists();

/** True if an endpoint of any tenant has the token; notes the time, at most once a minute (in the system scope). */
export const acceptVerifyToken = (channel: Channel, hash: Buffer) =>
  sql`
    with noted as (
      update channel_endpoints e set token_verified_at = ${NOW} from (
        select id from channel_endpoints where channel = ${channel} and verify_token_hash = ${hash}
          and coalesce(token_verified_at < ${NOW}::timestamptz - interval '1 minute', true)
        order by id limit ${MOST_NOTED} for no key update skip locked) due
      where e.id = due.id
    )
    select from channel_endpoints where channel = ${channel} and verify_token_hash = ${hash} limit 1`.exists();

/** Locked endpoints are skipped: a webhook must not wait for them (in the system scope). */
export const noteReceived = (ids: readonly string[]) =>
  sql`
    update channel_endpoints e set last_received_at = greatest(e.last_received_at, ${NOW}) from (
      select id from channel_endpoints where id = any(${ids}::uuid[]) order by id for no key update skip locked) due
    where e.id = due.id`;

/** `required`: a shared instance needs a customer. `served`: the instance serves this customer. */
export const findNumberOwner = (instance_id: string, customer_id: string | null) =>
  sql<{ required: boolean; served: boolean }>`
    select hosting_mode = 'shared' as required, exists (
      select from served_deployments where instance_id = i.id and customer_id = ${customer_id}) as served
    from instances i where id = ${instance_id}`.first();

export const findEndpointTarget = (id: string) =>
  sql<{ instance_id: string; customer_id: string | null }>`
    select instance_id, customer_id from channel_endpoints where id = ${id} for no key update`.first();
