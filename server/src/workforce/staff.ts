import { ofCustomer } from '../customers/customers.ts';
import type { Queryable } from '../platform/db/queryable.ts';
import { sql } from '../platform/db/sql.ts';
import { notFound } from '../platform/errors.ts';
import { cleared } from '../platform/json/cleared.ts';
import { certificationOf, daysLeft, expiryOf } from './expiry.ts';
import {
  findCustomerStaffId,
  insertStaff,
  listStaffWithExpiries,
  type NewStaff,
  type StaffChanges,
  type StaffPlace,
  type StaffRow,
  updateStaff,
} from './staff.db.ts';

export { findStaff } from './staff.db.ts';

/** A staff record as it is asked for: null and absence both leave a field at its default. */
export type StaffRequest = { name: string } & {
  [Key in Exclude<keyof NewStaff, 'name'>]?: NewStaff[Key] | null | undefined;
};

export type StaffChangeRequest = { name?: string | undefined; status?: StaffChanges['status'] } & Omit<
  StaffRequest,
  'name'
>;

/** What is not said, or cleared. */
const DEFAULTS = { role: 'employee', tier: 1 } as const;

const newStaff = (request: StaffRequest): NewStaff => ({
  name: request.name,
  email: request.email ?? null,
  phone: request.phone ?? null,
  role: request.role ?? DEFAULTS.role,
  skills: request.skills ?? [],
  certifications: request.certifications ?? [],
  inductions: request.inductions ?? [],
  tier: request.tier ?? DEFAULTS.tier,
  availability_notes: request.availability_notes ?? null,
});

/** The result of `work` on a customer's staff; not found when the instance does not serve the customer. */
export async function ofServedCustomer<T>(
  q: Queryable,
  instance_id: string,
  customer_id: string,
  work: Promise<T>,
): Promise<T> {
  const serves = sql`
    select from deployments
    where instance_id = ${instance_id} and customer_id = ${customer_id} and released_at is null limit 1`;
  const [result, rows] = await Promise.all([work, q.rows(serves)]);
  if (rows.length === 0) throw notFound('Customer');
  return result;
}

/** The result of `work` on what belongs to a person; not found when the customer has no such person. */
export async function ofStaff<T>(
  q: Queryable,
  ids: { customer_id: string; person_id: string },
  work: Promise<T>,
): Promise<T> {
  const [result, found] = await Promise.all([
    ofCustomer(q, ids.customer_id, work),
    findCustomerStaffId(q, ids),
  ]);
  if (!found) throw notFound('Staff member');
  return result;
}

export async function addStaff(
  q: Queryable,
  place: StaffPlace,
  request: StaffRequest,
  now: Date,
): Promise<StaffRow> {
  const [row] = await insertStaff(q, place, [newStaff(request)], now);
  if (!row) throw notFound('Customer');
  return row;
}

/** @returns how many were added: all */
export async function importStaff(
  q: Queryable,
  place: StaffPlace,
  requests: readonly StaffRequest[],
  now: Date,
): Promise<number> {
  const rows = await insertStaff(
    q,
    place,
    requests.map((request) => newStaff(request)),
    now,
  );
  return rows.length;
}

/** Null clears: an optional field becomes null, a list empty, role and tier what they are at first. */
export async function changeStaff(
  q: Queryable,
  ids: { instance_id: string; person_id: string },
  request: StaffChangeRequest,
  now: Date,
): Promise<StaffRow> {
  const { name, email, phone, status, availability_notes } = request;
  const changes: StaffChanges = {
    name,
    email,
    phone,
    status,
    availability_notes,
    role: cleared(request.role, DEFAULTS.role),
    tier: cleared(request.tier, DEFAULTS.tier),
    skills: cleared(request.skills, []),
    certifications: cleared(request.certifications, []),
    inductions: cleared(request.inductions, []),
  };
  const row = await updateStaff(q, ids, changes, now);
  if (!row) throw notFound('Staff member');
  return row;
}

type ExpiringCertification = Record<string, unknown> & { days_left: number };

/** Staff with those of their certifications that end within so many days, soonest first (specification, section 4.2). */
export async function listExpiringCerts(
  q: Queryable,
  customer_id: string,
  within_days: number,
  now: Date,
): Promise<(StaffRow & { expiring_certifications: ExpiringCertification[] })[]> {
  const rows = await listStaffWithExpiries(q, customer_id, within_days, now);
  return rows
    .map(({ timezone, ...staff }) => {
      const all = staff.certifications.map((element) => {
        const certification = certificationOf(element);
        return { ...certification, days_left: daysLeft(expiryOf(certification), timezone, now) ?? Infinity };
      });
      const expiring = all.filter(({ days_left }) => days_left >= 0 && days_left <= within_days);
      return { ...staff, expiring_certifications: expiring.toSorted((a, b) => a.days_left - b.days_left) };
    })
    .filter(({ expiring_certifications }) => expiring_certifications.length > 0);
}
