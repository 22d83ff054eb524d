import type { StaffStatus } from './staff-fields.contract.ts';
import { listStaffByTerms, type StaffTerm } from './staff-search.db.ts';

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

/** Ordered by name; rows carry the total. */
export const searchStaff = (customer_id: string, filters: StaffFilters, limit: number, offset: number) =>
  listStaffByTerms(customer_id, toSearchTerms(filters), limit, offset);
