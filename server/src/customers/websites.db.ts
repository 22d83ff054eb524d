import type { Queryable } from '../platform/db/queryable.ts';
import { fragment, sql } from '../platform/db/sql.ts';

export interface WebsiteRow {
  id: string;
  tenant_id: string;
  customer_id: string;
  hostname: string;
  created_at: Date;
}

const columns = fragment('id, tenant_id, customer_id, hostname, created_at');

export const listWebsites = (q: Queryable, customer_id: string, limit: number, offset: number) =>
  q.rows(
    sql<WebsiteRow & { total: number }>`
      select ${columns}, count(*) over () as total from websites where customer_id = ${customer_id}
      order by created_at desc, id limit ${limit} offset ${offset}`,
  );

/** @returns undefined when there is no such customer, or when the hostname has an owner, in whatever tenant */
export async function insertWebsite(
  q: Queryable,
  customer_id: string,
  hostname: string,
): Promise<WebsiteRow | undefined> {
  const [row] = await q.rows(
    sql<WebsiteRow>`
      insert into websites (tenant_id, customer_id, hostname)
      select tenant_id, id, ${hostname} from customers where id = ${customer_id}
      on conflict on constraint websites_hostname do nothing returning ${columns}`,
  );
  return row;
}

/** @returns whether the customer had the website */
export async function deleteWebsite(
  q: Queryable,
  ids: { customer_id: string; website_id: string },
): Promise<boolean> {
  const rows = await q.rows(
    sql`delete from websites where id = ${ids.website_id} and customer_id = ${ids.customer_id} returning id`,
  );
  return rows.length > 0;
}
