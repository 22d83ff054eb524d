import { servedCustomers } from '../customers/served-customers.db.ts';
import { sql } from '../platform/db/sql.ts';

/** The parts of a request that name a customer, the strongest first. */
export interface Asked {
  customer_id: string | null;
  person_id: string | null;
  channel_type: string | null;
  /** Each spelling of the address. */
  channel_addresses: readonly string[];
  connection_name: string | null;
}

/**
 * The customers, of those that the instance serves, whose data a request may be about; none where the request itself will
 * be refused. It reads tables of rooms above, because one gate stands before all of their routes.
 */
export const listAskedCustomers = (instance_id: string, asked: Asked) =>
  sql<{ customer_id: string }>`
    select c.id as customer_id from customers c
    where c.id in (${servedCustomers} ${instance_id}) and case
      when ${asked.customer_id}::uuid is not null then c.id = ${asked.customer_id}
      when ${asked.person_id}::uuid is not null then exists (
        select from staff s where s.id = ${asked.person_id} and s.customer_id = c.id)
      when ${asked.channel_type}::text is not null then exists (
        select from staff_bindings b
        where b.customer_id = c.id and b.channel_type = ${asked.channel_type}
          and b.channel_address = any (${asked.channel_addresses}::text[]))
      when ${asked.connection_name}::text is not null then exists (
        select from connections n where n.customer_id = c.id and n.name = ${asked.connection_name})
      else c.id = (select i.customer_id from instances i where i.id = ${instance_id} and i.hosting_mode = 'dedicated')
    end`;
