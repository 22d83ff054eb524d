import Type, { type Static } from 'typebox';
import { columnsOf, type RowOf } from '../platform/db/rows.ts';
import { fragment, json, NOW, sql } from '../platform/db/sql.ts';
import { Assignment, AssignmentChanges } from './assignments.contract.ts';

export type AssignmentRow = RowOf<typeof Assignment>;

export type NewAssignment = Omit<
  AssignmentRow,
  'id' | 'tenant_id' | 'customer_name' | 'person_name' | 'starts_at' | 'ends_at' | 'created_at' | 'updated_at'
> & {
  starts_at: Date | string | null;
  ends_at: Date | string | null;
};

const columns = fragment(`${columnsOf(Type.Omit(Assignment, ['customer_name', 'person_name']), 'w.').text},
  (select name from staff where id = w.person_id) as person_name`);

export const listAssignments = (
  customer_id: string,
  person_id: string | null,
  isNamed: boolean,
  limit: number,
  offset: number,
) =>
  sql<AssignmentRow & { total: number }>`
    select ${columns}, count(*) over () as total,
           customer_name_of(w.customer_id, ${isNamed}) as customer_name
    from assignments w
    where customer_id = ${customer_id} and (${person_id}::uuid is null or person_id = ${person_id})
    order by created_at desc, id limit ${limit} offset ${offset}`;

/** undefined when the customer has no such person */
export const insertAssignment = (assignment: NewAssignment, isNamed: boolean) => {
  const { customer_id, person_id, job_id, title, site, starts_at, ends_at, status } = assignment;
  return sql<AssignmentRow>`
    insert into assignments as w (tenant_id, customer_id, person_id, job_id, title, site, starts_at, ends_at, status,
      created_at, updated_at)
    select tenant_id, customer_id, id, ${job_id}, ${title}, ${site}, ${starts_at}, ${ends_at}, ${status},
      ${NOW}, ${NOW}
    from staff where id = ${person_id} and customer_id = ${customer_id}
    returning ${columns}, customer_name_of(w.customer_id, ${isNamed}) as customer_name`.first();
};

/** The person who is going to have it. @param person_id null: who has it */
export const lockPersonOfAssignment = (
  ids: { customer_id: string; assignment_id: string },
  person_id: string | null,
) =>
  sql`select from staff where customer_id = ${ids.customer_id} and id = coalesce(
        ${person_id}::uuid, (select w.person_id from assignments w where w.id = ${ids.assignment_id}))
      for no key update`;

const changeable = columnsOf(AssignmentChanges);
const changed = columnsOf(AssignmentChanges, 'changed.');

/**
 * Absent fields stay. undefined for an unknown assignment; violates the foreign key for an unknown person, and the
 * check for an end before the start.
 */
export const updateAssignment = (
  ids: { customer_id: string; assignment_id: string },
  changes: Static<typeof AssignmentChanges>,
  isNamed: boolean,
) =>
  sql<AssignmentRow>`
    update assignments w set
      (${changeable}) = (select ${changed} from jsonb_populate_record(w, ${json(changes)}::jsonb) changed),
      updated_at = greatest(w.updated_at, ${NOW})
    where w.id = ${ids.assignment_id} and w.customer_id = ${ids.customer_id}
    returning ${columns}, customer_name_of(w.customer_id, ${isNamed}) as customer_name`.first();

export const deleteAssignment = (ids: { customer_id: string; assignment_id: string }) =>
  sql`delete from assignments where id = ${ids.assignment_id} and customer_id = ${ids.customer_id} returning id`.exists();
