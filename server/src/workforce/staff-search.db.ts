import { PAGE_FITS } from '../platform/db/page-bytes.ts';
import { fragment, NOW, sql } from '../platform/db/sql.ts';
import type { StaffSort } from './staff.contract.ts';
import { type NamedStaffRow, staffColumns } from './staff.db.ts';

/** A condition of a search; see staff-search.sql for `unlapsed`. */
export interface StaffTerm {
  kind: 'status' | 'tier' | 'skill' | 'certification' | 'induction' | 'unlapsed';
  value: string;
}

export interface StaffSearch {
  customer_id: string;
  terms: readonly StaffTerm[];
  isNamed: boolean;
}

/** The functions take integers; no customer has as many staff. */
const MAX_OFFSET = 2_000_000_000;

/** `offset 0` stops the planner from reading all staff to join the page. */
const record = fragment('cross join lateral (select * from staff s where s.id = f.person_id offset 0) s');

const kindsOf = (terms: readonly StaffTerm[]) => terms.map(({ kind }) => kind);
const valuesOf = (terms: readonly StaffTerm[]) => terms.map(({ value }) => value);

/** Matches every term, ordered by name; rows carry the total. */
export const listStaffByTerms = (
  { customer_id, terms, isNamed }: StaffSearch,
  limit: number,
  offset: number,
) =>
  sql<NamedStaffRow & { total: number }>`
    select ${staffColumns}, total, customer_name from (
      with page as materialized (
        select ${staffColumns}, f.total, customer_name_of(s.customer_id, ${isNamed}) as customer_name
        from search_staff(${customer_id}, ${kindsOf(terms)}, ${valuesOf(terms)}, ${NOW}, ${limit},
                          ${Math.min(offset, MAX_OFFSET)}) f ${record})
      select * from page where ${PAGE_FITS}) s
    order by s.name, s.id`;

/** As listStaffByTerms, with a part of the name, the e-mail address or the external id, in any order. */
export const findStaffByTerms = (
  { customer_id, terms, isNamed }: StaffSearch,
  { search, sort_by, isDescending }: { search: string; sort_by: StaffSort; isDescending: boolean },
  limit: number,
  offset: number,
) =>
  sql<NamedStaffRow & { total: number }>`
    select ${staffColumns}, total, customer_name from (
      with page as materialized (
        select ${staffColumns}, f.total, f.place, customer_name_of(s.customer_id, ${isNamed}) as customer_name
        from find_staff(${customer_id}, ${kindsOf(terms)}, ${valuesOf(terms)}, ${NOW}, ${search}, ${sort_by}, ${isDescending},
                        ${limit}, ${Math.min(offset, MAX_OFFSET)}) f ${record})
      select * from page where ${PAGE_FITS}) s
    order by s.place`;
