import type { Unkeyed } from '../identities/identities.db.ts';
import type { MovedAddress } from '../identities/identity-addresses.db.ts';
import { fragment, NOW, sql } from '../platform/db/sql.ts';
import type { BindingState } from './bindings.contract.ts';

export interface BindingRow {
  id: string;
  tenant_id: string;
  customer_id: string;
  customer_name: string | null;
  person_id: string;
  person_name: string | null;
  channel_type: string;
  channel_address: string;
  state: BindingState;
  has_code: boolean;
  created_at: Date;
  updated_at: Date;
}

interface NewBinding {
  customer_id: string;
  person_id: string;
  channel_type: string;
  channel_address: string;
  address_key: string;
  code_hash: Buffer | null;
}

const columns =
  fragment(`b.id, b.tenant_id, b.customer_id, b.person_id, b.channel_type, b.channel_address, b.state,
  b.code_hash is not null as has_code, b.created_at, b.updated_at, (select name from staff where id = b.person_id) as person_name`);

export const listBindings = (
  ids: { customer_id: string; person_id: string },
  isNamed: boolean,
  limit: number,
  offset: number,
) =>
  sql<BindingRow & { total: number }>`
    select ${columns}, count(*) over () as total,
           customer_name_of(b.customer_id, ${isNamed}) as customer_name
    from staff_bindings b
    where customer_id = ${ids.customer_id} and person_id = ${ids.person_id}
    order by created_at desc, id limit ${limit} offset ${offset}`;

/**
 * Replaces a binding that is rejected, or whose number has another sender. undefined for an unknown person, or when the address
 * has another binding; violates staff_bindings_address where one without a key has it.
 */
export const insertBinding = (binding: NewBinding, isNamed: boolean) => {
  const { customer_id, person_id, channel_type, channel_address, address_key, code_hash } = binding;
  return sql<BindingRow>`
    insert into staff_bindings as b (tenant_id, customer_id, person_id, channel_type, channel_address, address_key, code_hash,
                                     created_at, updated_at)
    select tenant_id, customer_id, id, ${channel_type}, ${channel_address}, ${address_key}, ${code_hash}, ${NOW}, ${NOW}
    from staff where id = ${person_id} and customer_id = ${customer_id}
    on conflict (tenant_id, channel_type, address_key, customer_id) do update set
      id = excluded.id, person_id = excluded.person_id, channel_address = excluded.channel_address, state = 'unverified',
      code_hash = excluded.code_hash, code_address = null, handed_over_at = null, wrong_codes = 0, created_at = excluded.created_at,
      updated_at = excluded.updated_at
    where b.state = 'rejected' or b.state = 'unverified' and b.handed_over_at is not null
    returning ${columns}, customer_name_of(b.customer_id, ${isNamed}) as customer_name`.first();
};

export const deleteBinding = (ids: { customer_id: string; person_id: string; binding_id: string }) =>
  sql`delete from staff_bindings
      where id = ${ids.binding_id} and person_id = ${ids.person_id} and customer_id = ${ids.customer_id}
      returning id`.exists();

/**
 * At a sender's new address, bindings must be verified again, by the same code if one was set. If that address is
 * taken, the binding is rejected: otherwise the old number's next owner could verify it.
 */
export const moveBindings = ({
  customer_id,
  channel,
  from,
  new_phone,
  new_user_id,
  spellings,
}: MovedAddress) =>
  sql`with found as (
        select b.id, b.channel_address, n.address,
          row_number() over (partition by n.address order by array_position(${from}::text[], b.channel_address)) as nth
        from staff_bindings b cross join lateral (
          select case when b.channel_address like '+%' and ${new_phone}::text is not null
                      then '+' || ltrim(${new_phone}::text, '+')
                      else coalesce(${new_phone}::text, ${new_user_id}::text) end as address) n
        where b.customer_id = ${customer_id} and b.channel_type = ${channel}
          and (b.channel_address = any (${from}::text[]) or b.address_key = any (${from}::text[])) and b.state <> 'rejected'
      ), placed as (
        select f.*, f.nth = 1 and not exists (
          select from staff_bindings t
          where t.customer_id = ${customer_id} and t.channel_type = ${channel}
            and (t.channel_address = any (${spellings}::text[]) or t.address_key = any (${spellings}::text[]))) as has_place
        from found f
      )
      update staff_bindings b set
        state = case when p.has_place then 'unverified' else 'rejected' end,
        channel_address = case when p.has_place then p.address else b.channel_address end,
        address_key = case when p.has_place then address_key(p.address) else b.address_key end,
        code_address = coalesce(b.code_address, case when b.code_hash is not null then b.channel_address end),
        wrong_codes = 0, updated_at = greatest(b.updated_at, ${NOW})
      from placed p where b.id = p.id`;

/** In the system scope. */
export const listUnkeyedBindings = (limit: number) =>
  sql<Unkeyed>`
    select b.id, b.channel_type as channel, b.channel_address as address, c.country_code
    from staff_bindings b join customers c on c.id = b.customer_id
    where b.address_key is null order by b.id limit ${limit}`;

/** In the system scope. An address that another binding has by now keeps its own spelling as its key. */
export const keyBinding = ({ id, address }: Unkeyed, address_key: string) =>
  sql`update staff_bindings b set address_key = case when exists (
        select from staff_bindings o
        where o.tenant_id = b.tenant_id and o.channel_type = b.channel_type and o.customer_id = b.customer_id
          and o.address_key = ${address_key} and o.id <> b.id)
        then b.channel_address else ${address_key} end
      where b.id = ${id} and b.channel_address = ${address} and b.address_key is null`;
