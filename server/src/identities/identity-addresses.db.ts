import { servedCustomers } from '../customers/served-customers.db.ts';
import type { Queryable } from '../platform/db/queryable.ts';
import { sql } from '../platform/db/sql.ts';

/** An identity with what the runtime wants to know of it (specification, section 2.6). */
export interface ServedIdentityRow {
  channel: string;
  external_id: string;
  identity_id: string;
  customer_id: string;
  customer_email: string | null;
  display_name: string | null;
  role_override: string | null;
  verified: boolean;
}

/**
 * The identity of an address among the customers that the instance serves, whether the address is the identity's own
 * or an alias; an earlier address goes first.
 */
export async function findServedIdentity(
  q: Queryable,
  instance_id: string,
  channel: string,
  external_ids: readonly string[],
): Promise<ServedIdentityRow | undefined> {
  const [row] = await q.rows(
    sql<ServedIdentityRow>`
      select i.channel, i.external_id, i.id as identity_id, i.customer_id, c.email as customer_email,
             i.display_name, i.role_override, i.verified
      from identity_addresses a
      join identities i on i.id = a.identity_id
      join customers c on c.id = i.customer_id
      where a.channel = ${channel} and a.external_id = any (${external_ids}::text[])
        and i.customer_id in (${servedCustomers} ${instance_id})
      order by array_position(${external_ids}::text[], a.external_id) limit 1`,
  );
  return row;
}

/**
 * Remembers addresses that the channel used for one sender, so that each finds the identity. What belongs to an
 * identity already stays with it, and what is too long for an external_id is left out.
 */
export const linkAddresses = (
  q: Queryable,
  identity: { identity_id: string; channel: string },
  external_ids: readonly string[],
) =>
  q.rows(
    sql`insert into identity_addresses (tenant_id, channel, external_id, identity_id)
        select i.tenant_id, ${identity.channel}, address, i.id
        from identities i, unnest(${external_ids}::text[]) as address
        where i.id = ${identity.identity_id} and length(address) between 1 and 255
        order by address
        on conflict do nothing`,
  );
