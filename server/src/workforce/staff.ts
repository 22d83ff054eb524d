import type { Static } from 'typebox';
import { customerIsServed } from '../customers/served-customers.db.ts';
import type { Queryable } from '../platform/db/queryable.ts';
import { found } from '../platform/errors.ts';
import { certificationOf, daysLeft, expiryOf } from './expiry.ts';
import type { StaffCreate, StaffUpdate } from './staff.contract.ts';
import { insertStaff, listStaffWithExpiries, type StaffRow, updateStaff } from './staff.db.ts';
import {
  initialValues,
  type NewStaff,
  STAFF_FIELD_NAMES,
  type StaffChanges,
} from './staff-fields.contract.ts';

/** null and absence both leave a field at its initial value. */
export type StaffRequest = Static<typeof StaffCreate>;
/** null sets a field to its initial value; absence changes nothing. */
type StaffChangeRequest = Static<typeof StaffUpdate>;

/** The fields that a request sets, with the initial value for null. Other members of the request are ignored. */
const valuesOf = (request: StaffRequest | StaffChangeRequest): StaffChanges => {
  const asked: Record<string, unknown> = request;
  const initial: Record<string, unknown> = initialValues;
  const set = STAFF_FIELD_NAMES.filter((name) => asked[name] !== undefined);
  return Object.fromEntries(set.map((name) => [name, asked[name] ?? initial[name]]));
};

export const newStaff = (request: StaffRequest): NewStaff => {
  const { status: _, ...values } = { ...initialValues, name: request.name, ...valuesOf(request) };
  return values;
};

export async function addStaff(
  q: Queryable,
  place: { instance_id: string; customer_id: string },
  request: StaffRequest,
): Promise<StaffRow> {
  const [, rows] = await q.run(
    customerIsServed(place.instance_id, place.customer_id),
    insertStaff(place.customer_id, [newStaff(request)]),
  );
  return found('Customer', rows[0]);
}

export async function changeStaff(
  q: Queryable,
  ids: { instance_id: string; person_id: string },
  request: StaffChangeRequest,
): Promise<StaffRow> {
  return found('Staff member', await q.run(updateStaff(ids, valuesOf(request))));
}

type ExpiringCertification = Record<string, unknown> & { days_left: number };

/** Staff with those of their certifications that end within `within_days` days, soonest first (specification, section 4.2). */
export async function listExpiringCerts(
  q: Queryable,
  place: { instance_id: string; customer_id: string },
  within_days: number,
): Promise<(StaffRow & { expiring_certifications: ExpiringCertification[] })[]> {
  const { now } = q;
  const [, rows] = await q.run(
    customerIsServed(place.instance_id, place.customer_id),
    listStaffWithExpiries(place.customer_id, within_days),
  );
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
