import { sql } from '../platform/db/sql.ts';

/** Present and past. */
export const listServedCustomers = (instance_id: string) =>
  sql<{ customer_id: string }>`
    select customer_id from deployments where instance_id = ${instance_id}
    union select customer_id from instances where id = ${instance_id}`;

export interface StaffContact {
  id: string;
  phone: string | null;
  email: string | null;
  /** In any state; null without bindings. */
  channel_addresses: string[] | null;
}

/** A page in the order of ids. */
export const listStaffContacts = (customer_id: string, after: string, limit: number) =>
  sql<StaffContact>`
    select id, phone, email,
           (select array_agg(channel_address) from staff_bindings where person_id = s.id) as channel_addresses
    from staff s where customer_id = ${customer_id} and id > ${after} order by id limit ${limit}`;

export interface KnownIdentity {
  id: string;
  external_id: string;
  /** Text, because a Date has fewer digits. */
  created_at: string;
}

/** A page, newest first. */
export const listIdentitiesBefore = (
  customer_id: string,
  before: Pick<KnownIdentity, 'created_at' | 'id'>,
  limit: number,
) =>
  sql<KnownIdentity>`
    select id, external_id, created_at::text as created_at from identities
    where customer_id = ${customer_id} and (created_at, id) < (${before.created_at}::timestamptz, ${before.id}::uuid)
    order by identities.created_at desc, id desc limit ${limit}`;
