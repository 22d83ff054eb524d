import { servedCustomers } from '../customers/served-customers.db.ts';
import type { Queryable } from '../platform/db/queryable.ts';
import { fragment, sql } from '../platform/db/sql.ts';

export interface IdentityRow {
  id: string;
  tenant_id: string;
  customer_id: string;
  channel: string;
  external_id: string;
  display_name: string | null;
  role_override: string | null;
  verified: boolean;
  created_at: Date;
  updated_at: Date;
}

export interface NewIdentity {
  customer_id: string;
  channel: string;
  external_id: string;
  display_name: string | null;
  role_override: string | null;
  verified: boolean;
}

const columns = fragment(
  'id, tenant_id, customer_id, channel, external_id, display_name, role_override, verified, created_at, updated_at',
);

/** Those with `external_ids` are the ones that one of these finds, whether it is their own or an alias. */
export const listIdentitiesAt = (
  q: Queryable,
  customer_id: string,
  filter: { channel?: string | undefined; external_ids: readonly string[] | null },
  limit: number,
  offset: number,
) =>
  q.rows(
    sql<IdentityRow & { total: number }>`
      select ${columns}, count(*) over () as total from identities
      where customer_id = ${customer_id}
        and (${filter.channel}::text is null or channel = ${filter.channel})
        and (${filter.external_ids}::text[] is null or exists (
          select from identity_addresses a
          where a.identity_id = identities.id and a.channel = identities.channel
            and a.external_id = any (${filter.external_ids}::text[])))
      order by created_at desc, id limit ${limit} offset ${offset}`,
  );

/** An identity of a customer that the instance serves now, of `customer_id` where that is given. */
export async function findServedIdentityById(
  q: Queryable,
  instance_id: string,
  ids: { customer_id: string | null; identity_id: string },
): Promise<{ identity_id: string; customer_id: string; role_override: string | null } | undefined> {
  const [row] = await q.rows(
    sql<{ identity_id: string; customer_id: string; role_override: string | null }>`
      select i.id as identity_id, i.customer_id, i.role_override from identities i
      where i.id = ${ids.identity_id} and (${ids.customer_id}::uuid is null or i.customer_id = ${ids.customer_id})
        and i.customer_id in (${servedCustomers} ${instance_id})`,
  );
  return row;
}

/**
 * Refused by the constraint identity_addresses_key when the address is an alias of another identity.
 * @returns undefined when there is no such customer, or when the tenant has the identity already
 */
export async function insertIdentity(q: Queryable, identity: NewIdentity): Promise<IdentityRow | undefined> {
  const { customer_id, channel, external_id, display_name, role_override, verified } = identity;
  const [row] = await q.rows(
    sql<IdentityRow>`
      insert into identities (tenant_id, customer_id, channel, external_id, display_name, role_override, verified)
      select tenant_id, id, ${channel}, ${external_id}, ${display_name}, ${role_override}, ${verified}
      from customers where id = ${customer_id}
      on conflict on constraint identities_external_id do nothing returning ${columns}`,
  );
  return row;
}

/** @returns whether the customer had the identity */
export async function deleteIdentity(
  q: Queryable,
  ids: { customer_id: string; identity_id: string },
): Promise<boolean> {
  const rows = await q.rows(
    sql`delete from identities where id = ${ids.identity_id} and customer_id = ${ids.customer_id} returning id`,
  );
  return rows.length > 0;
}
