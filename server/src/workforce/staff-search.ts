import type { StaffSort } from './staff.contract.ts';
import type { StaffStatus } from './staff-fields.contract.ts';
import { findStaffByTerms, listStaffByTerms, type StaffTerm } from './staff-search.db.ts';

/** All have to match (specification, section 4.2). */
interface StaffFilters {
  /** Separated by commas. */
  skills?: string | undefined;
  cert_type?: string | undefined;
  induction_site?: string | undefined;
  status?: StaffStatus | undefined;
  tier?: number | undefined;
  /** Excludes people whose certifications named like a skill have all expired. */
  exclude_lapsed?: boolean | undefined;
}

interface StaffOrder {
  /** Part of the name, the e-mail address or the external id; empty for all. */
  search: string;
  sort_by: StaffSort;
  sort_dir?: 'asc' | 'desc' | undefined;
}

export function toSearchTerms(filters: StaffFilters): StaffTerm[] {
  const { skills = '', cert_type, induction_site, status, tier, exclude_lapsed = false } = filters;
  const terms: StaffTerm[] = skills
    .split(',')
    .map((skill) => ({ kind: 'skill' as const, value: skill.trim() }))
    .filter(({ value }) => value !== '');
  if (exclude_lapsed) terms.push(...terms.map(({ value }) => ({ kind: 'unlapsed' as const, value })));
  if (cert_type !== undefined) terms.push({ kind: 'certification', value: cert_type });
  if (induction_site !== undefined) terms.push({ kind: 'induction', value: induction_site });
  if (status !== undefined) terms.push({ kind: 'status', value: status });
  if (tier !== undefined) terms.push({ kind: 'tier', value: String(tier) });
  return terms;
}

/** By name it reads a page alone, otherwise all staff of the customer. Rows carry the total. */
export function searchStaff(
  customer_id: string,
  { search, sort_by, sort_dir, ...filters }: StaffFilters & StaffOrder,
  isNamed: boolean,
  limit: number,
  offset: number,
) {
  const wanted = { customer_id, terms: toSearchTerms(filters), isNamed };
  const isDescending = sort_dir === undefined ? sort_by === 'created_at' : sort_dir === 'desc';
  return search === '' && sort_by === 'name' && !isDescending
    ? listStaffByTerms(wanted, limit, offset)
    : findStaffByTerms(wanted, { search, sort_by, isDescending }, limit, offset);
}
