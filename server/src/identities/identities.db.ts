import Type, { type Static } from 'typebox';
import { servedCustomers } from '../customers/served-customers.db.ts';
import { columnsOf, type RowOf } from '../platform/db/rows.ts';
import { fragment, json, NOW, sql } from '../platform/db/sql.ts';
import { Identity, type IdentityCreate, IdentityUpdate } from './identities.contract.ts';

/** Attributes are sealed. */
export type IdentityRow = Omit<RowOf<typeof Identity>, 'attributes'> & { sealed_attributes: Buffer | null };
export type NewIdentity = Static<typeof IdentityCreate> & { customer_id: string; address_key: string };

const columns = fragment(
  `${columnsOf(Type.Omit(Identity, ['attributes', 'customer_name'])).text}, sealed_attributes`,
);

/** `external_ids` match the own address or an alias. */
export const listIdentities = (
  customer_id: string,
  filter: { channel: string | undefined; external_ids: readonly string[] | null },
  isNamed: boolean,
  limit: number,
  offset: number,
) =>
  sql<IdentityRow & { total: number }>`
    select ${columns}, count(*) over () as total,
           customer_name_of(identities.customer_id, ${isNamed}) as customer_name
    from identities
    where customer_id = ${customer_id}
      and (${filter.channel}::text is null or channel = ${filter.channel})
      and (${filter.external_ids}::text[] is null or exists (
        select from identity_addresses a
        where a.identity_id = identities.id and a.channel = identities.channel
          and a.external_id = any (${filter.external_ids}::text[])))
    order by created_at desc, id limit ${limit} offset ${offset}`;

/** Only an identity of a customer that the instance serves now. */
export const findServedIdentityById = (
  instance_id: string,
  ids: { customer_id: string | null; identity_id: string | null },
) =>
  sql<{ identity_id: string; customer_id: string; role_override: string | null }>`
    select i.id as identity_id, i.customer_id, i.role_override from identities i
    where i.id = ${ids.identity_id}::uuid and (${ids.customer_id}::uuid is null or i.customer_id = ${ids.customer_id})
      and i.customer_id in (${servedCustomers} ${instance_id})`.first();

/** Raises 404, which stops later statements. */
export const identityExists = (ids: { customer_id: string; identity_id: string }) =>
  sql`select must_exist(exists (
        select from identities where id = ${ids.identity_id} and customer_id = ${ids.customer_id}), 'Identity')`;

/**
 * undefined for an unknown customer or a taken address. Violates identity_addresses_key for another identity's alias.
 */
export const insertIdentity = (identity: NewIdentity, isNamed: boolean) => {
  const { customer_id, channel, external_id, address_key, display_name, role_override, verified } = identity;
  return sql<IdentityRow>`
    insert into identities (tenant_id, customer_id, channel, external_id, address_key, display_name, role_override, verified)
    select tenant_id, id, ${channel}, ${external_id}, ${address_key}, ${display_name}, ${role_override}, ${verified ?? false}
    from customers where id = ${customer_id}
    on conflict on constraint identities_external_id do nothing
    returning ${columns},
      customer_name_of(identities.customer_id, ${isNamed}) as customer_name`.first();
};

export const findOwnAddress = (ids: { customer_id: string; identity_id: string }) =>
  sql<{ channel: string; external_id: string; country_code: string | null }>`
    select i.channel, i.external_id, c.country_code from identities i join customers c on c.id = i.customer_id
    where i.id = ${ids.identity_id} and i.customer_id = ${ids.customer_id}`.first();

const changeable = columnsOf(IdentityUpdate);
const changed = columnsOf(IdentityUpdate, 'changed.');

/**
 * Absent fields stay. @param address_key of another address. undefined for an unknown identity; violates identities_external_id or identity_addresses_key for
 * a taken address.
 */
export const updateIdentity = (
  ids: { customer_id: string; identity_id: string },
  changes: Static<typeof IdentityUpdate>,
  address_key: string | null,
  isNamed: boolean,
) =>
  sql<IdentityRow>`
    update identities i set
      (${changeable}) = (select ${changed} from jsonb_populate_record(i, ${json(changes)}::jsonb) changed),
      address_key = coalesce(${address_key}, i.address_key), updated_at = greatest(i.updated_at, ${NOW})
    where i.id = ${ids.identity_id} and i.customer_id = ${ids.customer_id}
    returning ${columns}, customer_name_of(i.customer_id, ${isNamed}) as customer_name`.first();

export const deleteIdentity = (ids: { customer_id: string; identity_id: string }) =>
  sql`delete from identities
      where id = ${ids.identity_id} and customer_id = ${ids.customer_id} returning id`.exists();

export const setIdentityAttributes = (id: string, sealed_attributes: Buffer) =>
  sql`update identities set sealed_attributes = ${sealed_attributes}, updated_at = greatest(updated_at, ${NOW}) where id = ${id}`;

/** An address without its key. */
export interface Unkeyed {
  id: string;
  channel: string;
  address: string;
  country_code: string | null;
}

/** In the system scope. */
export const listUnkeyedIdentities = (limit: number) =>
  sql<Unkeyed>`
    select i.id, i.channel, i.external_id as address, c.country_code
    from identities i join customers c on c.id = i.customer_id
    where i.address_key is null order by i.id limit ${limit}`;

/** In the system scope. An address that another identity has by now keeps its own spelling as its key. */
export const keyIdentity = ({ id, address }: Unkeyed, address_key: string) =>
  sql`with free as (
        select i.id, case when exists (
          select from identity_addresses a
          where a.tenant_id = i.tenant_id and a.channel = i.channel and a.external_id = ${address_key} and a.identity_id <> i.id)
          then i.external_id else ${address_key} end as address_key
        from identities i where i.id = ${id} and i.external_id = ${address} and i.address_key is null
      ), moved as (
        update identity_addresses a set external_id = f.address_key from free f
        where a.identity_id = f.id and a.external_id = ${address} and f.address_key <> ${address}
          and not exists (select from identity_addresses o where o.identity_id = f.id and o.external_id = f.address_key)
      )
      update identities i set address_key = f.address_key from free f where i.id = f.id`;
