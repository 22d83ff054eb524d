import { NOW, sql } from '../platform/db/sql.ts';
import { type StaffRow, staffColumns } from './staff.db.ts';

/** A condition of a search; see staff-search.sql for `unlapsed`. */
export interface StaffTerm {
  kind: 'status' | 'tier' | 'skill' | 'certification' | 'induction' | 'unlapsed';
  value: string;
}

/** search_staff takes an integer; no customer has as many staff. */
const MAX_OFFSET = 2_000_000_000;

/**
 * Matches every term, ordered by name; rows carry the total. `offset 0` stops the planner from reading all staff to
 * join the page.
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
