import { NOW, sql } from '../platform/db/sql.ts';
import { type StaffRow, staffColumns } from './staff.db.ts';

/** A search finds staff by these; `person` with the value '' matches everybody. */
export interface StaffTerm {
  kind: 'person' | 'status' | 'tier' | 'skill' | 'certification' | 'induction';
  value: string;
}

/** The largest offset that search_staff takes; no customer has as many staff. */
const MAX_OFFSET = 2_000_000_000;

/** The staff that have every term now, in the order of names; each row carries the total (0026_staff_pages.sql). */
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

/** Files staff that a search would have to look at one by one. */
export const settleStaff = (customer_id: string) => sql`select settle_staff(${customer_id}, ${NOW})`;
