import { NOW, sql } from '../platform/db/sql.ts';
import { type StaffRow, staffColumns } from './staff.db.ts';

/** A property that staff are found by; `unlapsed` leaves out who had such a certification and has no valid one. */
export interface StaffTerm {
  kind: 'status' | 'tier' | 'skill' | 'certification' | 'induction' | 'unlapsed';
  value: string;
}

/** The largest offset that search_staff takes; no customer has as many staff. */
const MAX_OFFSET = 2_000_000_000;

/**
 * The staff that have every term now, in the order of names; each row carries the total (staff-search.sql).
 * `offset 0` keeps the 50 or so rows apart: the planner would read all staff to join them.
 */
export const listStaffByTerms = (
  customer_id: string,
  terms: readonly StaffTerm[],
  limit: number,
  offset: number,
) =>
  sql<StaffRow & { total: number }>`
    select ${staffColumns}, f.total
    from search_staff(${customer_id}, ${terms.map(({ kind }) => kind)}, ${terms.map(({ value }) => value)},
                      ${NOW}, ${limit}, ${Math.min(offset, MAX_OFFSET)}) f
    cross join lateral (select * from staff s where s.id = f.person_id offset 0) s
    order by s.name, s.id`;
