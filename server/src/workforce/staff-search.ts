import type { Queryable } from '../platform/db/queryable.ts';
import type { StaffStatus } from './staff.contract.ts';
import type { StaffRow } from './staff.db.ts';
import { listStaffByTerms, type StaffTerm, settleStaff } from './staff-search.db.ts';

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

/** What a person has to bear. */
export function termsOf({ skills = '', cert_type, induction_site, status, tier }: StaffFilters): StaffTerm[] {
  const terms: StaffTerm[] = skills
    .split(',')
    .map((skill) => ({ kind: 'skill' as const, value: skill.trim() }))
    .filter(({ value }) => value !== '');
  if (cert_type !== undefined) terms.push({ kind: 'certification', value: cert_type });
  if (induction_site !== undefined) terms.push({ kind: 'induction', value: induction_site });
  if (status !== undefined) terms.push({ kind: 'status', value: status });
  if (tier !== undefined) terms.push({ kind: 'tier', value: String(tier) });
  return terms.length > 0 ? terms : [EVERYBODY];
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
  const [, rows] = await Promise.all([
    settleStaff(q, customer_id, now),
    listStaffByTerms(q, customer_id, termsOf(filters), now, limit, offset),
  ]);
  return rows;
}
