import type { Queryable } from '../platform/db/queryable.ts';
import { fragment, sql } from '../platform/db/sql.ts';
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
  q: Queryable,
  ids: { customer_id: string; person_id: string },
  limit: number,
  offset: number,
) =>
  q.rows(
    sql<BindingRow & { total: number }>`
      select ${columns}, count(*) over () as total from staff_bindings
      where customer_id = ${ids.customer_id} and person_id = ${ids.person_id}
      order by created_at desc, id limit ${limit} offset ${offset}`,
  );

/**
 * A new binding takes the place of a rejected one.
 * @returns undefined when the customer has no such person, or when the address is bound already
 */
export async function insertBinding(
  q: Queryable,
  binding: NewBinding,
  now: Date,
): Promise<BindingRow | undefined> {
  const { customer_id, person_id, channel_type, channel_address, code_hash } = binding;
  const [row] = await q.rows(
    sql<BindingRow>`
      insert into staff_bindings as b (tenant_id, customer_id, person_id, channel_type, channel_address, code_hash,
                                       created_at, updated_at)
      select tenant_id, customer_id, id, ${channel_type}, ${channel_address}, ${code_hash}, ${now}, ${now}
      from staff where id = ${person_id} and customer_id = ${customer_id}
      on conflict on constraint staff_bindings_address do update set
        id = excluded.id, customer_id = excluded.customer_id, person_id = excluded.person_id, state = 'unverified',
        code_hash = excluded.code_hash, wrong_codes = 0, created_at = excluded.created_at,
        updated_at = excluded.updated_at
      where b.state = 'rejected'
      returning ${columns}`,
  );
  return row;
}
