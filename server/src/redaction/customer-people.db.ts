import { sql } from '../platform/db/sql.ts';

/** The customers that an instance serves or served. */
export const listServedCustomers = (instance_id: string) =>
  sql<{ customer_id: string }>`
    select customer_id from deployments where instance_id = ${instance_id}
    union select customer_id from instances where id = ${instance_id}`;

export interface StaffContact {
  id: string;
  phone: string | null;
  email: string | null;
  /** The addresses that are bound to the person, in whatever state; null when there are none. */
  channel_addresses: string[] | null;
}

/** How a customer's staff are reached, in the order of their ids, from the one after `after`. */
export const listStaffContacts = (customer_id: string, after: string, limit: number) =>
  sql<StaffContact>`
    select id, phone, email,
           (select array_agg(channel_address) from staff_bindings where person_id = s.id) as channel_addresses
    from staff s where customer_id = ${customer_id} and id > ${after} order by id limit ${limit}`;

export interface KnownIdentity {
  id: string;
  external_id: string;
  /** With all digits, unlike a Date. */
  created_at: string;
}

/** A customer's identities from the newest one, or from the one before `before`. */
export const listIdentitiesBefore = (
  customer_id: string,
  before: Pick<KnownIdentity, 'created_at' | 'id'>,
  limit: number,
) =>
  sql<KnownIdentity>`
    select id, external_id, created_at::text as created_at from identities
    where customer_id = ${customer_id} and (created_at, id) < (${before.created_at}::timestamptz, ${before.id}::uuid)
    order by identities.created_at desc, id desc limit ${limit}`;
