import type { StaffStatus } from '../contract/staff.ts';
import type { Queryable } from '../db/database.ts';
import type { StaffRow } from '../db/staff.ts';
import {
  countTerms,
  listStaffByTerm,
  listStaffByTerms,
  type StaffSearch,
  type StaffTerm,
} from '../db/staff-search.ts';

/** The filters of a staff list, which have to match all (specification, section 4.2). */
export interface StaffFilters {
  /** Separated by commas. */
  skills?: string | undefined;
  cert_type?: string | undefined;
  induction_site?: string | undefined;
  status?: StaffStatus | undefined;
  tier?: number | undefined;
}

/** What a person has to bear; nothing twice. */
export function termsOf({ skills = '', cert_type, induction_site }: StaffFilters): StaffTerm[] {
  const names = skills.split(',').map((skill) => skill.trim().toLowerCase());
  const terms = [...new Set(names)]
    .filter((skill) => skill !== '')
    .map((value): StaffTerm => ({ kind: 'skill', value }));
  if (cert_type !== undefined) terms.push({ kind: 'certification', value: cert_type });
  if (induction_site !== undefined) terms.push({ kind: 'induction', value: induction_site });
  return terms;
}

/** One window of a customer's staff in the order of names; each row carries the total. */
export async function searchStaff(
  q: Queryable,
  customer_id: string,
  filters: StaffFilters,
  now: Date,
  limit: number,
  offset: number,
): Promise<(StaffRow & { total: number })[]> {
  const { status = null, tier = null } = filters;
  const search: StaffSearch = { customer_id, status, tier, now };
  const [first = { kind: 'person', value: '' }, second, ...others] = termsOf(filters);
  if (!second) return listStaffByTerm(q, search, first, limit, offset);
  return searchByTerms(q, search, [first, second, ...others], limit, offset);
}

/** The rarest terms lead: what a search reads is then bounded by them. A term that nobody bears ends it. */
async function searchByTerms(
  q: Queryable,
  search: StaffSearch,
  terms: readonly [StaffTerm, StaffTerm, ...StaffTerm[]],
  limit: number,
  offset: number,
): Promise<(StaffRow & { total: number })[]> {
  const counts = await countTerms(q, search.customer_id, terms);
  if (counts.length < terms.length) return [];
  const [rarest, next, ...others] = counts.map(({ position }) => terms[position - 1] as StaffTerm);
  return listStaffByTerms(q, search, [rarest as StaffTerm, next as StaffTerm, ...others], limit, offset);
}
