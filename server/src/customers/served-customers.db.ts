import { fragment, sql } from '../platform/db/sql.ts';

/** Selects the customers that an instance serves now, one for each deployment; the instance's id follows. */
export const servedCustomers = fragment(
  'select d.customer_id from served_deployments d where d.instance_id =',
);

/** True while an instance serves a customer. */
export const servesCustomer = (instance_id: string, customer_id: string | null) =>
  sql`select from served_deployments
      where instance_id = ${instance_id} and customer_id = ${customer_id} limit 1`.exists();

/** Stops the statements behind it with 404 unless the instance serves the customer. */
export const customerIsServed = (instance_id: string, customer_id: string) =>
  sql`select must_exist(exists (
        select from served_deployments
        where instance_id = ${instance_id} and customer_id = ${customer_id}), 'Customer')`;

/** Stops the statements behind it with 409 while an instance serves the customer. */
export const customerIsUnserved = (customer_id: string) =>
  sql`select must_hold(not exists (
        select from served_deployments where customer_id = ${customer_id}),
        'An instance serves this customer: terminate it first')`;

/** The deployments that serve a customer now, with the connection requirements of their configuration. */
export const listServingDeployments = (customer_id: string) =>
  sql<{ instance_id: string; customer_id: string; connection_requirements: unknown[] }>`
    select instance_id, customer_id,
           coalesce(resolved_config -> 'connection_requirements', '[]') as connection_requirements
    from served_deployments where customer_id = ${customer_id}`;

/** The customer of a dedicated instance; null for a shared one, undefined where there is no instance. */
export const findDedicatedCustomer = (instance_id: string) =>
  sql<{ customer_id: string | null }>`
    select case when hosting_mode = 'dedicated' then customer_id end as customer_id
    from instances where id = ${instance_id}`
    .first()
    .map((row) => row?.customer_id);
