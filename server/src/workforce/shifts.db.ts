import Type, { type Static } from 'typebox';
import { columnsOf, type RowOf } from '../platform/db/rows.ts';
import { fragment, json, NOW, sql } from '../platform/db/sql.ts';
import { Shift, ShiftChanges } from './shifts.contract.ts';

export type ShiftRow = RowOf<typeof Shift>;

export type NewShift = Omit<
  ShiftRow,
  'id' | 'tenant_id' | 'customer_name' | 'person_name' | 'starts_at' | 'ends_at' | 'created_at' | 'updated_at'
> & {
  starts_at: Date | string;
  ends_at: Date | string;
};

const columns = fragment(`${columnsOf(Type.Omit(Shift, ['customer_name', 'person_name']), 'w.').text},
  (select name from staff where id = w.person_id) as person_name`);

export const listShifts = (
  customer_id: string,
  person_id: string | null,
  isNamed: boolean,
  limit: number,
  offset: number,
) =>
  sql<ShiftRow & { total: number }>`
    select ${columns}, count(*) over () as total,
           customer_name_of(w.customer_id, ${isNamed}) as customer_name
    from shifts w
    where customer_id = ${customer_id} and (${person_id}::uuid is null or person_id = ${person_id})
    order by created_at desc, id limit ${limit} offset ${offset}`;

/** undefined when the customer has no such person */
export const insertShift = (shift: NewShift, isNamed: boolean) => {
  const { customer_id, person_id, job_id, title, site, starts_at, ends_at, status } = shift;
  return sql<ShiftRow>`
    insert into shifts as w (tenant_id, customer_id, person_id, job_id, title, site, starts_at, ends_at, status,
      created_at, updated_at)
    select tenant_id, customer_id, id, ${job_id}, ${title}, ${site}, ${starts_at}, ${ends_at}, ${status},
      ${NOW}, ${NOW}
    from staff where id = ${person_id} and customer_id = ${customer_id}
    returning ${columns}, customer_name_of(w.customer_id, ${isNamed}) as customer_name`.first();
};

/** The person who is going to have it. @param person_id null: who has it */
export const lockPersonOfShift = (ids: { customer_id: string; shift_id: string }, person_id: string | null) =>
  sql`select from staff where customer_id = ${ids.customer_id} and id = coalesce(
        ${person_id}::uuid, (select w.person_id from shifts w where w.id = ${ids.shift_id}))
      for no key update`;

const changeable = columnsOf(ShiftChanges);
const changed = columnsOf(ShiftChanges, 'changed.');

/**
 * Absent fields stay. undefined for an unknown shift; violates the foreign key for an unknown person, and the check for
 * an end before the start.
 */
export const updateShift = (
  ids: { customer_id: string; shift_id: string },
  changes: Static<typeof ShiftChanges>,
  isNamed: boolean,
) =>
  sql<ShiftRow>`
    update shifts w set
      (${changeable}) = (select ${changed} from jsonb_populate_record(w, ${json(changes)}::jsonb) changed),
      updated_at = greatest(w.updated_at, ${NOW})
    where w.id = ${ids.shift_id} and w.customer_id = ${ids.customer_id}
    returning ${columns}, customer_name_of(w.customer_id, ${isNamed}) as customer_name`.first();

export const deleteShift = (ids: { customer_id: string; shift_id: string }) =>
  sql`delete from shifts where id = ${ids.shift_id} and customer_id = ${ids.customer_id} returning id`.exists();
