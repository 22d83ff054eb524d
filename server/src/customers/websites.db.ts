import Type from 'typebox';
import { BOUNDS } from '../catalogue/bounds.contract.ts';
import { columnsOf, type RowOf } from '../platform/db/rows.ts';
import { sql } from '../platform/db/sql.ts';
import { Website } from './websites.contract.ts';

export type WebsiteRow = RowOf<typeof Website>;

const columns = columnsOf(Type.Omit(Website, ['customer_name']));

export const listWebsites = (customer_id: string, isNamed: boolean, limit: number, offset: number) =>
  sql<WebsiteRow & { total: number }>`
    select ${columns}, count(*) over () as total,
           customer_name_of(websites.customer_id, ${isNamed}) as customer_name
    from websites where customer_id = ${customer_id}
    order by created_at desc, id limit ${limit} offset ${offset}`;

/** Raises 422, which stops the statements after it. Needs lockCustomer before. */
export const hasRoomForWebsite = (customer_id: string) =>
  sql`select must_fit(count(*), ${BOUNDS.customer.websites}, 'websites') from websites where customer_id = ${customer_id}`;

/** undefined for an unknown customer, or when the hostname is taken */
export const insertWebsite = (customer_id: string, hostname: string, isNamed: boolean) =>
  sql<WebsiteRow>`
    insert into websites (tenant_id, customer_id, hostname)
    select tenant_id, id, ${hostname} from customers where id = ${customer_id}
    on conflict on constraint websites_hostname do nothing
    returning ${columns},
      customer_name_of(websites.customer_id, ${isNamed}) as customer_name`.first();

export const deleteWebsite = (ids: { customer_id: string; website_id: string }) =>
  sql`delete from websites where id = ${ids.website_id} and customer_id = ${ids.customer_id} returning id`.exists();
