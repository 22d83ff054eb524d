import type { StaffStatus } from './staff-fields.contract.ts';
import { listStaffByTerms, type StaffTerm } from './staff-search.db.ts';

/** The filters of a staff list. All have to match (specification, section 4.2). */
export interface StaffFilters {
  /** Separated by commas. */
  skills?: string | undefined;
  cert_type?: string | undefined;
  induction_site?: string | undefined;
  status?: StaffStatus | undefined;
  tier?: number | undefined;
  /** Leaves out who has had a certification of the name of one of the skills, and has none that is valid. */
  exclude_lapsed?: boolean | undefined;
}

/** The terms that a person has to have; none without a filter. */
export function termsOf(filters: StaffFilters): StaffTerm[] {
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

/** One window of a customer's staff in the order of names; each row carries the total. */
export const searchStaff = (customer_id: string, filters: StaffFilters, limit: number, offset: number) =>
  listStaffByTerms(customer_id, termsOf(filters), limit, offset);
