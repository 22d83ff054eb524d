import type { Static } from 'typebox';
import { columnsOf, type RowOf } from '../platform/db/rows.ts';
import { json, NOW, sql } from '../platform/db/sql.ts';
import { Assignment, AssignmentUpdate } from './assignments.contract.ts';

export type AssignmentRow = RowOf<typeof Assignment>;

export type NewAssignment = Omit<
  AssignmentRow,
  'id' | 'tenant_id' | 'starts_at' | 'ends_at' | 'created_at' | 'updated_at'
> & {
  starts_at: Date | string | null;
  ends_at: Date | string | null;
};

const columns = columnsOf(Assignment);

export const listAssignments = (
  customer_id: string,
  person_id: string | null,
  limit: number,
  offset: number,
) =>
  sql<AssignmentRow & { total: number }>`
    select ${columns}, count(*) over () as total from assignments
    where customer_id = ${customer_id} and (${person_id}::uuid is null or person_id = ${person_id})
    order by created_at desc, id limit ${limit} offset ${offset}`;

/** undefined when the customer has no such person */
export const insertAssignment = (assignment: NewAssignment) => {
  const { customer_id, person_id, job_id, title, site, starts_at, ends_at, status } = assignment;
  return sql<AssignmentRow>`
    insert into assignments (tenant_id, customer_id, person_id, job_id, title, site, starts_at, ends_at, status,
      created_at, updated_at)
    select tenant_id, customer_id, id, ${job_id}, ${title}, ${site}, ${starts_at}, ${ends_at}, ${status},
      ${NOW}, ${NOW}
    from staff where id = ${person_id} and customer_id = ${customer_id} returning ${columns}`.first();
};

const changeable = columnsOf(AssignmentUpdate);
const changed = columnsOf(AssignmentUpdate, 'changed.');

/**
 * Absent fields stay. undefined for an unknown assignment; violates the foreign key for an unknown person, and the
 * check for an end before the start.
 */
export const updateAssignment = (
  ids: { customer_id: string; assignment_id: string },
  changes: Static<typeof AssignmentUpdate>,
) =>
  sql<AssignmentRow>`
    update assignments w set
      (${changeable}) = (select ${changed} from jsonb_populate_record(w, ${json(changes)}::jsonb) changed),
      updated_at = greatest(w.updated_at, ${NOW})
    where w.id = ${ids.assignment_id} and w.customer_id = ${ids.customer_id} returning ${columns}`.first();

export const deleteAssignment = (ids: { customer_id: string; assignment_id: string }) =>
  sql`delete from assignments where id = ${ids.assignment_id} and customer_id = ${ids.customer_id} returning id`.exists();
