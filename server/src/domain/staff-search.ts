import type { StaffStatus } from '../contract/staff.ts';
import type { Queryable } from '../db/database.ts';
import type { StaffRow } from '../db/staff.ts';
import { countTerms, listStaffByTerms, type StaffSearch, type StaffTerm } from '../db/staff-search.ts';

/** The filters of a staff list, which have to match all (specification, section 4.2). */
export interface StaffFilters {
  /** Separated by commas. */
  skills?: string | undefined;
  cert_type?: string | undefined;
  induction_site?: string | undefined;
  status?: StaffStatus | undefined;
  tier?: number | undefined;
}

const EVERYBODY: StaffTerm = { kind: 'person', value: '' };

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

/**
 * One window of a customer's staff in the order of names; each row carries the total. The rarest term leads: it bounds
 * what a search reads. One that nobody bears ends it.
 */
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
  const terms = termsOf(filters);
  if (terms.length <= 1) return listStaffByTerms(q, search, terms[0] ?? EVERYBODY, [], limit, offset);
  const counts = await countTerms(q, customer_id, terms);
  const [rarest, ...others] = counts.map(({ position }) => terms[position - 1] as StaffTerm);
  if (!rarest || counts.length < terms.length) return [];
  return listStaffByTerms(q, search, rarest, others, limit, offset);
}
