import { servedCustomers } from '../customers/served-customers.db.ts';
import { sql } from '../platform/db/sql.ts';

/** In this order of precedence. */
export interface RequestTarget {
  customer_id: string | null;
  person_id: string | null;
  channel_type: string | null;
  /** Each spelling of the address. */
  channel_addresses: readonly string[];
  connection_name: string | null;
}

/**
 * None if the handler will refuse the request. Reads tables of rooms above, because one gate precedes all their routes.
 */
export const listTargetCustomers = (instance_id: string, target: RequestTarget) =>
  sql<{ customer_id: string }>`
    select c.id as customer_id from customers c
    where c.id in (${servedCustomers} ${instance_id}) and case
      when ${target.customer_id}::uuid is not null then c.id = ${target.customer_id}
      when ${target.person_id}::uuid is not null then exists (
        select from staff s where s.id = ${target.person_id} and s.customer_id = c.id)
      when ${target.channel_type}::text is not null then exists (
        select from addresses_beside(${instance_id}, ${target.channel_type}, ${target.channel_addresses}::text[]) a
        join staff_bindings b on b.customer_id = c.id and b.channel_type = ${target.channel_type}
          and (b.channel_address = a.address or b.address_key = a.address)
        where coalesce(a.customer_id, c.id) = c.id)
      when ${target.connection_name}::text is not null then exists (
        select from connections n where n.customer_id = c.id and n.name = ${target.connection_name})
      else c.id = (select i.customer_id from instances i where i.id = ${instance_id} and i.hosting_mode = 'dedicated')
    end`;
