import { fragment, NOW, sql } from '../platform/db/sql.ts';
import type { BindingState } from './bindings.contract.ts';

export interface BindingRow {
  id: string;
  tenant_id: string;
  customer_id: string;
  person_id: string;
  channel_type: string;
  channel_address: string;
  state: BindingState;
  has_code: boolean;
  created_at: Date;
  updated_at: Date;
}

export interface NewBinding {
  customer_id: string;
  person_id: string;
  channel_type: string;
  channel_address: string;
  code_hash: Buffer | null;
}

const columns = fragment(`id, tenant_id, customer_id, person_id, channel_type, channel_address, state,
  code_hash is not null as has_code, created_at, updated_at`);

export const listBindings = (
  ids: { customer_id: string; person_id: string },
  limit: number,
  offset: number,
) =>
  sql<BindingRow & { total: number }>`
    select ${columns}, count(*) over () as total from staff_bindings
    where customer_id = ${ids.customer_id} and person_id = ${ids.person_id}
    order by created_at desc, id limit ${limit} offset ${offset}`;

/**
 * A new binding replaces a rejected one. undefined when the customer has no such person, or when the customer has a
 * binding of the address that was not rejected
 */
export const insertBinding = (binding: NewBinding) => {
  const { customer_id, person_id, channel_type, channel_address, code_hash } = binding;
  return sql<BindingRow>`
    insert into staff_bindings as b (tenant_id, customer_id, person_id, channel_type, channel_address, code_hash,
                                     created_at, updated_at)
    select tenant_id, customer_id, id, ${channel_type}, ${channel_address}, ${code_hash}, ${NOW}, ${NOW}
    from staff where id = ${person_id} and customer_id = ${customer_id}
    on conflict on constraint staff_bindings_address do update set
      id = excluded.id, person_id = excluded.person_id, state = 'unverified',
      code_hash = excluded.code_hash, wrong_codes = 0, created_at = excluded.created_at,
      updated_at = excluded.updated_at
    where b.state = 'rejected'
    returning ${columns}`.first();
};

/** True when the person had the binding. */
export const deleteBinding = (ids: { customer_id: string; person_id: string; binding_id: string }) =>
  sql`delete from staff_bindings
      where id = ${ids.binding_id} and person_id = ${ids.person_id} and customer_id = ${ids.customer_id}
      returning id`.exists();
