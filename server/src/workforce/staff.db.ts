import { servedCustomers } from '../customers/served-customers.db.ts';
import { fragment, json, NOW, sql } from '../platform/db/sql.ts';
import {
  NEW_STAFF_FIELD_NAMES,
  type NewStaff,
  STAFF_FIELD_NAMES,
  STAFF_FIELDS,
  type StaffChanges,
  type StaffValues,
} from './staff-fields.contract.ts';

export interface StaffRow extends StaffValues {
  id: string;
  tenant_id: string;
  customer_id: string;
  created_at: Date;
  updated_at: Date;
}

/** With the customer's name, for routes of the tenant. */
export interface NamedStaffRow extends StaffRow {
  customer_name: string | null;
}

const list = (names: readonly string[], prefix = '') =>
  fragment(names.map((name) => `${prefix}${name}`).join(', '));

export const staffColumns = list(
  ['id', 'tenant_id', 'customer_id', ...STAFF_FIELD_NAMES, 'created_at', 'updated_at'],
  's.',
);

const columns = list(STAFF_FIELD_NAMES);
const changedValues = list(STAFF_FIELD_NAMES, 'changed.');
const newColumns = list(NEW_STAFF_FIELD_NAMES);
const newValues = list(NEW_STAFF_FIELD_NAMES, 'i.');
const newTypes = list(NEW_STAFF_FIELD_NAMES.map((name) => `${name} ${STAFF_FIELDS[name].column}`));

/** undefined for an unknown customer; violates staff_external_id for a taken id. */
export const insertStaff = (customer_id: string, record: NewStaff, isNamed: boolean) =>
  sql<NamedStaffRow>`
    insert into staff as s (tenant_id, customer_id, ${newColumns}, created_at, updated_at)
    select c.tenant_id, c.id, ${newValues}, ${NOW}, ${NOW}
    from customers c cross join jsonb_to_record(${json(record)}::jsonb) as i (${newTypes})
    where c.id = ${customer_id}
    returning ${staffColumns}, customer_name_of(s.customer_id, ${isNamed}) as customer_name`.first();

/** `changes` applies where the customer has the external_id already. */
export interface ImportedStaff {
  record: NewStaff;
  changes: StaffChanges;
}

/**
 * Each external_id may occur once; new records beyond the tenant's limit are left out. Needs `lockCustomer` before,
 * because concurrent imports would deadlock.
 */
export const importStaff = (customer_id: string, staff: readonly ImportedStaff[]) =>
  sql<{ external_id: string | null; is_new: boolean }>`
    insert into staff as s (tenant_id, customer_id, ${newColumns}, created_at, updated_at)
    select i.tenant_id, i.of_customer, ${newValues}, ${NOW}, ${NOW}
    from (
      select c.tenant_id, c.id as of_customer, given.*, is_known,
             row_number() over (partition by is_known order by position) as nth
      from customers c
      cross join rows from (jsonb_to_recordset(${json(staff.map(({ record }) => record))}::jsonb) as (${newTypes}))
        with ordinality as given (${newColumns}, position)
      cross join lateral (select exists (
        select from staff where customer_id = c.id and external_id = given.external_id) as is_known) known
      where c.id = ${customer_id}
    ) i
    where i.is_known or i.nth <= (select room_for(current_tenant(), 'staff', ${staff.length}))
    order by i.position
    on conflict on constraint staff_external_id do update set
      (${columns}) = (select ${changedValues} from jsonb_populate_record(
        s, ${json(changesByExternalId(staff))}::jsonb -> excluded.external_id) changed),
      updated_at = greatest(s.updated_at, ${NOW})
    returning s.external_id, s.xmax = 0 as is_new`;

const changesByExternalId = (staff: readonly ImportedStaff[]) =>
  Object.fromEntries(
    staff.flatMap(({ changes }) => (changes.external_id ? [[changes.external_id, changes] as const] : [])),
  );

/** Raises 404, which stops later statements. */
export const staffExists = (ids: { customer_id: string; person_id: string }) =>
  sql`select must_exist(exists (
        select from staff where id = ${ids.person_id} and customer_id = ${ids.customer_id}), 'Staff member')`;

/** Changes of the record, and other judgements of it, wait. */
export const lockPerson = (ids: { customer_id: string; person_id: string }) =>
  sql`select from staff where id = ${ids.person_id} and customer_id = ${ids.customer_id} for no key update`;

/** At a customer, or at any customer of an instance. */
export type PersonAt = { person_id: string } & ({ customer_id: string } | { instance_id: string });

const placeOf = (person: PersonAt) => ({ customer_id: null, instance_id: null, ...person });

export const findStaff = (person: PersonAt, isNamed: boolean) => {
  const { person_id, customer_id, instance_id } = placeOf(person);
  return sql<NamedStaffRow>`
    select ${staffColumns}, customer_name_of(s.customer_id, ${isNamed}) as customer_name
    from staff s
    where s.id = ${person_id}
      and (s.customer_id = ${customer_id}::uuid or s.customer_id in (${servedCustomers} ${instance_id}::uuid))`.first();
};

/** undefined for an unknown person; violates staff_external_id for a taken id. */
export const updateStaff = (person: PersonAt, changes: StaffChanges, isNamed: boolean) => {
  const { person_id, customer_id, instance_id } = placeOf(person);
  return sql<NamedStaffRow>`
    update staff s set
      (${columns}) = (select ${changedValues} from jsonb_populate_record(s, ${json(changes)}::jsonb) changed),
      updated_at = greatest(s.updated_at, ${NOW})
    where s.id = ${person_id}
      and (s.customer_id = ${customer_id}::uuid or s.customer_id in (${servedCustomers} ${instance_id}::uuid))
    returning ${staffColumns}, customer_name_of(s.customer_id, ${isNamed}) as customer_name`.first();
};

/** Timesheets stay, without the person. */
export const deleteStaff = (ids: { customer_id: string; person_id: string }) =>
  sql`delete from staff where id = ${ids.person_id} and customer_id = ${ids.customer_id} returning id`.exists();
