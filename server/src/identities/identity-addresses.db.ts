import type { Static } from 'typebox';
import { servedCustomers } from '../customers/served-customers.db.ts';
import { sql } from '../platform/db/sql.ts';
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
