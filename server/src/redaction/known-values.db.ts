import { sql } from '../platform/db/sql.ts';

type IdentifierKind = 'customer_id' | 'instance_id' | 'phone_number' | 'email' | 'credential';

/** Includes past customers; customer-people.ts has identifiers of people. */
export const listIdentifiers = (instance_id: string) =>
  sql<{ kind: IdentifierKind; text: string }>`
    with d as (select * from deployments where instance_id = ${instance_id}),
         i as (select * from instances where id = ${instance_id}),
         c as (select * from customers where id in (select customer_id from d union select customer_id from i))
    select kind, text from (
      select 'customer_id', id::text from c
      union select 'customer_id', payments_customer_id from c
      union select 'email', email from c
      union select 'customer_id', hostname from websites where customer_id in (select id from c)
      union select 'credential', id::text from connections where customer_id in (select id from c)
      union select 'instance_id', unnest(array[id::text, tenant_id::text, host(tunnel_address), wg_public_key])
            from i
      union select 'instance_id', split_part(address, '#', 1) from runtime_states where instance_id = ${instance_id}
      union select 'instance_id', unnest(array[id::text, task_id::text]) from d
      union select 'instance_id', id::text from tasks where instance_id = ${instance_id}
      -- A plain word ("agent") identifies nothing.
      union select 'instance_id', hostname from (select hostname from i union select hostname from d) as h
            where hostname ~ '[^[:alpha:]]'
      union select 'phone_number', phone_number_id from channel_endpoints where instance_id = ${instance_id}
      union select 'instance_id', id::text from channel_endpoints where instance_id = ${instance_id}
    ) as identifier (kind, text) where text is not null`;

export interface SealedSecret {
  of: 'message_secret' | 'proxy_key' | 'connection' | 'app_secret';
  id: string;
  sealed: Buffer;
}

/** `customer_id` null: credentials of all customers. */
export const listSealedSecrets = (instance_id: string, customer_id: string | null) =>
  sql<SealedSecret>`
    select 'message_secret' as of, id, sealed_message_secret as sealed from instances
    where id = ${instance_id} and sealed_message_secret is not null
    union all select 'proxy_key', instance_id, sealed_key from proxy_keys where instance_id = ${instance_id}
    union all select 'app_secret', id, sealed_app_secret from channel_endpoints where instance_id = ${instance_id}
    union all select 'connection', id, sealed_credentials from connections
    where sealed_credentials is not null
      and customer_id in (select customer_id from deployments where instance_id = ${instance_id})
      and (${customer_id}::uuid is null or customer_id = ${customer_id})`;

/**
 * Changes with each change of a secret's row, and counts the secrets' bytes without reading them. Its rows are those of
 * listSealedSecrets.
 */
export const findSecretsChange = (instance_id: string) =>
  sql<{ change: string; bytes: number }>`
    select coalesce(sum(hashtextextended(id::text || version::text, 0)), 0)::text || ':' || count(*) as change,
           coalesce(sum(octet_length(sealed)), 0)::float8 as bytes
    from (
      select id, xmin as version, sealed_message_secret as sealed from instances
      where id = ${instance_id} and sealed_message_secret is not null
      union all select instance_id, xmin, sealed_key from proxy_keys where instance_id = ${instance_id}
      union all select id, xmin, sealed_app_secret from channel_endpoints where instance_id = ${instance_id}
      union all select id, xmin, sealed_credentials from connections
      where sealed_credentials is not null
        and customer_id in (select customer_id from deployments where instance_id = ${instance_id})) secrets`.one();

/** Keyed hashes. */
export const listVerifyTokenHashes = (instance_id: string) =>
  sql<{ verify_token_hash: Buffer }>`
    select verify_token_hash from channel_endpoints where instance_id = ${instance_id}`;
