import { fragment, sql } from '../platform/db/sql.ts';

/** One row per deployment; append the instance's id. */
export const servedCustomers = fragment(
  'select d.customer_id from served_deployments d where d.instance_id =',
);

/** Without null. */
export const listServedCountries = (instance_id: string) =>
  sql<{ country_code: string }>`
    select distinct country_code from customers
    where country_code is not null and id in (${servedCustomers} ${instance_id}) order by 1`.each(
    ({ country_code }) => country_code,
  );

export const servesCustomer = (instance_id: string, customer_id: string | null) =>
  sql`select from served_deployments
      where instance_id = ${instance_id} and customer_id = ${customer_id} limit 1`.exists();

/** Raises 404, which stops later statements. */
export const customerIsServed = (instance_id: string, customer_id: string) =>
  sql`select must_exist(exists (
        select from served_deployments
        where instance_id = ${instance_id} and customer_id = ${customer_id}), 'Customer')`;

/** Raises 409, which stops later statements. */
export const customerIsUnserved = (customer_id: string) =>
  sql`select must_hold(not exists (
        select from served_deployments where customer_id = ${customer_id}),
        'An instance serves this customer: terminate it first')`;

export const listServingDeployments = (customer_id: string) =>
  sql<{ instance_id: string; customer_id: string; connection_requirements: unknown[] }>`
    select instance_id, customer_id,
           coalesce(resolved_config -> 'connection_requirements', '[]') as connection_requirements
    from served_deployments where customer_id = ${customer_id}`;

/** null for a shared instance, undefined for an unknown one. */
export const findDedicatedCustomer = (instance_id: string) =>
  sql<{ customer_id: string | null }>`
    select case when hosting_mode = 'dedicated' then customer_id end as customer_id
    from instances where id = ${instance_id}`
    .first()
    .map((row) => row?.customer_id);
