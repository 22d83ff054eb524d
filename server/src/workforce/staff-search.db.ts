import type { Queryable } from '../platform/db/queryable.ts';
import { sql } from '../platform/db/sql.ts';
import { type StaffRow, staffColumns } from './staff.db.ts';

/** What a person can be found by; `person`, with the value '', is everybody. */
export interface StaffTerm {
  kind: 'person' | 'status' | 'tier' | 'skill' | 'certification' | 'induction';
  value: string;
}

/** More people than anybody has, and an `integer` still when a page is added. */
const MANY = 2_000_000_000;

/** Those who bear every term at `now`, in the order of names; each row carries the total (0026_staff_pages.sql). */
export const listStaffByTerms = (
  q: Queryable,
  customer_id: string,
  terms: readonly StaffTerm[],
  now: Date,
  limit: number,
  offset: number,
) =>
  q.rows(
    sql<StaffRow & { total: number }>`
      select ${staffColumns}, f.total
      from search_staff(${customer_id}, ${terms.map(({ kind }) => kind)}, ${terms.map(({ value }) => value)},
                        ${now}, ${limit}, ${Math.min(offset, MANY)}) f
      cross join lateral (select * from staff s where s.id = f.person_id offset 0) s
      order by s.name, s.id`,
  );

/**
 * Files what searches of a customer would have to look at one by one, where that is much: people written while another
 * transaction had the lock, and what ended since.
 */
export const settleStaff = (q: Queryable, customer_id: string, now: Date) =>
  q.rows(sql`select settle_staff(${customer_id}, ${now})`);
