import { servedCustomers } from '../customers/served-customers.db.ts';
import type { Queryable } from '../platform/db/queryable.ts';
import { fragment, json, sql } from '../platform/db/sql.ts';
import type { StaffRole, StaffStatus } from './staff.contract.ts';

export interface StaffRow {
  id: string;
  tenant_id: string;
  customer_id: string;
  name: string;
  email: string | null;
  phone: string | null;
  role: StaffRole;
  skills: string[];
  certifications: unknown[];
  inductions: unknown[];
  tier: number;
  status: StaffStatus;
  availability_notes: string | null;
  created_at: Date;
  updated_at: Date;
}

export type NewStaff = Omit<
  StaffRow,
  'id' | 'tenant_id' | 'customer_id' | 'status' | 'created_at' | 'updated_at'
>;

/** What is absent stays as it is. */
export type StaffChanges = { [Key in keyof NewStaff]?: NewStaff[Key] | undefined } & {
  status?: StaffStatus | undefined;
};

export const staffColumns =
  fragment(`s.id, s.tenant_id, s.customer_id, s.name, s.email, s.phone, s.role, s.skills,
  s.certifications, s.inductions, s.tier, s.status, s.availability_notes, s.created_at, s.updated_at`);

/** Where staff are added: a customer; with an instance, only if that serves it. */
export interface StaffPlace {
  customer_id: string;
  instance_id: string | null;
}

/** All in one statement. @returns the rows; none when there is no such place */
export const insertStaff = (q: Queryable, place: StaffPlace, staff: readonly NewStaff[], now: Date) =>
  q.rows(
    sql<StaffRow>`
      insert into staff as s (tenant_id, customer_id, name, email, phone, role, skills, certifications, inductions,
                              tier, availability_notes, created_at, updated_at)
      select c.tenant_id, c.id, i.name, i.email, i.phone, i.role, i.skills, i.certifications, i.inductions,
             i.tier, i.availability_notes, ${now}, ${now}
      from customers c
      cross join rows from (jsonb_to_recordset(${json(staff)}::jsonb) as (
        name text, email text, phone text, role text, skills jsonb, certifications jsonb, inductions jsonb,
        tier integer, availability_notes text)) with ordinality as i (name, email, phone, role, skills,
        certifications, inductions, tier, availability_notes, position)
      where c.id = ${place.customer_id}
        and (${place.instance_id}::uuid is null or c.id in (${servedCustomers} ${place.instance_id}))
      order by i.position returning ${staffColumns}`,
  );

/** @returns undefined unless the person belongs to a customer that the instance serves */
export async function findStaff(
  q: Queryable,
  ids: { instance_id: string; person_id: string },
): Promise<StaffRow | undefined> {
  const [row] = await q.rows(
    sql<StaffRow>`
      select ${staffColumns} from staff s
      where s.id = ${ids.person_id} and s.customer_id in (${servedCustomers} ${ids.instance_id})`,
  );
  return row;
}

/** @returns undefined unless the person belongs to a customer that the instance serves */
export async function updateStaff(
  q: Queryable,
  ids: { instance_id: string; person_id: string },
  changes: StaffChanges,
  now: Date,
): Promise<StaffRow | undefined> {
  const { name, email, phone, role, tier, status, availability_notes } = changes;
  const { skills, certifications, inductions } = changes;
  const [row] = await q.rows(
    sql<StaffRow>`
      update staff s set
        name = coalesce(${name}, s.name),
        email = case when ${email !== undefined}::boolean then ${email} else s.email end,
        phone = case when ${phone !== undefined}::boolean then ${phone} else s.phone end,
        role = coalesce(${role}, s.role),
        skills = coalesce(${json(skills)}::jsonb, s.skills),
        certifications = coalesce(${json(certifications)}::jsonb, s.certifications),
        inductions = coalesce(${json(inductions)}::jsonb, s.inductions),
        tier = coalesce(${tier}, s.tier),
        status = coalesce(${status}, s.status),
        availability_notes = case when ${availability_notes !== undefined}::boolean then ${availability_notes}
                                  else s.availability_notes end,
        updated_at = greatest(s.updated_at, ${now})
      where s.id = ${ids.person_id} and s.customer_id in (${servedCustomers} ${ids.instance_id})
      returning ${staffColumns}`,
  );
  return row;
}

/**
 * A customer's staff with certifications that end from `now` on and within so many days of the customer's time zone,
 * in the order of when the first of each ends; those who left are not among them.
 */
export const listStaffWithExpiries = (q: Queryable, customer_id: string, within_days: number, now: Date) =>
  q.rows(
    sql<StaffRow & { timezone: string }>`
      select ${staffColumns}, c.timezone
      from customers c
      join lateral (
        select e.person_id, min(e.ends_at) as soonest from staff_expiries e
        where e.customer_id = c.id and e.kind = 'certification' and e.ends_at > ${now}::timestamptz
          and e.ends_at <= ((${now}::timestamptz at time zone c.timezone)::date + ${within_days}::integer + 1)::timestamp
                           at time zone c.timezone
        group by e.person_id
      ) e on true
      join staff s on s.id = e.person_id and s.status <> 'terminated'
      where c.id = ${customer_id}
      order by e.soonest, s.name, s.id`,
  );

export async function findCustomerStaffId(
  q: Queryable,
  ids: { customer_id: string; person_id: string },
): Promise<string | undefined> {
  const [row] = await q.rows(
    sql<{
      id: string;
    }>`select id from staff where id = ${ids.person_id} and customer_id = ${ids.customer_id}`,
  );
  return row?.id;
}
