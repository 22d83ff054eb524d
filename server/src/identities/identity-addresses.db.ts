import type { Static } from 'typebox';
import { servedCustomers } from '../customers/served-customers.db.ts';
import { NOW, sql } from '../platform/db/sql.ts';
import type { IdentityLookupResult } from './identities.contract.ts';

/** By own address or alias, or by one that the channel told beside it. Earlier addresses of the list win. */
export const findServedIdentity = (instance_id: string, channel: string, external_ids: readonly string[]) =>
  sql<Static<typeof IdentityLookupResult>>`
    select i.channel, i.external_id, i.id as identity_id, i.customer_id, c.email as customer_email,
           i.display_name, i.role_override, i.verified
    from addresses_beside(${instance_id}, ${channel}, ${external_ids}::text[]) s
    join identity_addresses a on a.channel = ${channel} and a.external_id = s.address
    join identities i on i.id = a.identity_id and i.customer_id = coalesce(s.customer_id, i.customer_id)
    join customers c on c.id = i.customer_id
    where i.customer_id in (${servedCustomers} ${instance_id})
    order by s.place limit 1`.first();

/** An address of another identity stays with it; one that is too long is skipped. */
export const linkAddresses = (
  identity: { identity_id: string; channel: string },
  external_ids: readonly string[],
) =>
  sql`insert into identity_addresses (tenant_id, channel, external_id, identity_id)
      select distinct i.tenant_id, ${identity.channel}, address_key(address), i.id
      from identities i, unnest(${external_ids}::text[]) as address
      where i.id = ${identity.identity_id} and length(address) between 1 and 255
      order by 3
      on conflict do nothing`;

export interface MovedAddress {
  customer_id: string;
  channel: string;
  /** Former addresses in each spelling. */
  from: readonly string[];
  new_phone: string | null;
  new_user_id: string | null;
  /** New ones in each spelling. */
  spellings: readonly string[];
}

/**
 * If another identity has the new address, this one stays and becomes unverified. Violates identities_external_id or
 * identity_addresses_key when the address is added meanwhile.
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
      address_key = case when n.is_taken then i.address_key else address_key(n.address) end,
      verified = i.verified and not n.is_taken, updated_at = greatest(i.updated_at, ${NOW})
    from (
      select o.id,
        case when o.external_id like '+%' and ${new_phone}::text is not null then '+' || ltrim(${new_phone}::text, '+')
             when o.external_id ~* '^(whatsapp:)?[0-9 ()./+-]+$' then coalesce(${new_phone}::text, ${new_user_id}::text)
             else coalesce(${new_user_id}::text, ${new_phone}::text) end as address,
        exists (select from identity_addresses t
                where t.channel = ${channel} and t.external_id = any (${spellings}::text[]) and t.identity_id <> o.id) as is_taken
      from identity_addresses a join identities o on o.id = a.identity_id
      where o.customer_id = ${customer_id} and a.channel = ${channel} and a.external_id = any (${from}::text[])
      order by array_position(${from}::text[], a.external_id) limit 1
    ) n
    where i.id = n.id
    returning i.id, not n.is_taken as moved`.first();
