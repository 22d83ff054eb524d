import type { Static } from 'typebox';
import { servedCustomers } from '../customers/served-customers.db.ts';
import { NOW, sql } from '../platform/db/sql.ts';
import type { IdentityLookupResult } from './identities.contract.ts';

/**
 * The identity of an address, its own or an alias, among the customers that the instance serves now. An earlier address
 * of the list takes precedence.
 */
export const findServedIdentity = (instance_id: string, channel: string, external_ids: readonly string[]) =>
  sql<Static<typeof IdentityLookupResult>>`
    select i.channel, i.external_id, i.id as identity_id, i.customer_id, c.email as customer_email,
           i.display_name, i.role_override, i.verified
    from identity_addresses a
    join identities i on i.id = a.identity_id
    join customers c on c.id = i.customer_id
    where a.channel = ${channel} and a.external_id = any (${external_ids}::text[])
      and i.customer_id in (${servedCustomers} ${instance_id})
    order by array_position(${external_ids}::text[], a.external_id) limit 1`.first();

/**
 * Adds addresses that the channel used for one sender as aliases of the identity. An address that belongs to an identity
 * already stays with it; an address that is too long for an external_id is left out.
 */
export const linkAddresses = (
  identity: { identity_id: string; channel: string },
  external_ids: readonly string[],
) =>
  sql`insert into identity_addresses (tenant_id, channel, external_id, identity_id)
      select i.tenant_id, ${identity.channel}, address, i.id
      from identities i, unnest(${external_ids}::text[]) as address
      where i.id = ${identity.identity_id} and length(address) between 1 and 255
      order by address
      on conflict do nothing`;

/** A sender's former and new addresses in a channel, as far as a customer is concerned. */
export interface MovedAddress {
  customer_id: string;
  channel: string;
  /** Each spelling of the former ones. */
  from: readonly string[];
  new_phone: string | null;
  new_user_id: string | null;
  /** Each spelling of the new ones. */
  spellings: readonly string[];
}

/**
 * Moves a customer's identity to a sender's new address. Where that is another identity's, it stays, and nobody counts as
 * verified by it any more. Violates identities_external_id or identity_addresses_key when the address is added meanwhile.
 */
export const moveIdentity = ({
  customer_id,
  channel,
  from,
  new_phone,
  new_user_id,
  spellings,
}: MovedAddress) =>
  sql<{ id: string; moved: boolean }>`
    update identities i set
      external_id = case when n.is_taken then i.external_id else n.address end,
      verified = i.verified and not n.is_taken, updated_at = greatest(i.updated_at, ${NOW})
    from (
      select o.id,
        case when o.external_id like '+%' and ${new_phone}::text is not null then '+' || ltrim(${new_phone}::text, '+')
             when o.external_id ~ '^[0-9]+$' then coalesce(${new_phone}::text, ${new_user_id}::text)
             else coalesce(${new_user_id}::text, ${new_phone}::text) end as address,
        exists (select from identity_addresses t
                where t.channel = ${channel} and t.external_id = any (${spellings}::text[]) and t.identity_id <> o.id) as is_taken
      from identity_addresses a join identities o on o.id = a.identity_id
      where o.customer_id = ${customer_id} and a.channel = ${channel} and a.external_id = any (${from}::text[])
      order by array_position(${from}::text[], a.external_id) limit 1
    ) n
    where i.id = n.id
    returning i.id, not n.is_taken as moved`.first();
