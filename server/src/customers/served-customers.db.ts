import type { Queryable } from '../platform/db/queryable.ts';
import { fragment, sql } from '../platform/db/sql.ts';

/** The customers that an instance serves now, several times where it serves them twice; its id follows. */
export const servedCustomers = fragment(
  'select d.customer_id from deployments d where d.released_at is null and d.instance_id =',
);

/** Whether an instance serves a customer now. */
export async function servesCustomer(
  q: Queryable,
  instance_id: string,
  customer_id: string,
): Promise<boolean> {
  const rows = await q.rows(
    sql`select from deployments
        where instance_id = ${instance_id} and customer_id = ${customer_id} and released_at is null limit 1`,
  );
  return rows.length > 0;
}

/** Where a customer is served now, and which connections the configuration there asks for. */
export const listServingDeployments = (q: Queryable, customer_id: string) =>
  q.rows(
    sql<{ instance_id: string; customer_id: string; connection_requirements: unknown[] }>`
      select instance_id, customer_id,
             coalesce(resolved_config -> 'connection_requirements', '[]') as connection_requirements
      from deployments where customer_id = ${customer_id} and released_at is null`,
  );

/** The customer of an instance that serves one alone; null where it serves several. */
export async function findDedicatedCustomer(
  q: Queryable,
  instance_id: string,
): Promise<{ customer_id: string | null } | undefined> {
  const [row] = await q.rows(
    sql<{ customer_id: string | null }>`
      select case when hosting_mode = 'dedicated' then customer_id end as customer_id
      from instances where id = ${instance_id}`,
  );
  return row;
}
