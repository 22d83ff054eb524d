import { PAGE_FITS } from '../platform/db/page-bytes.ts';
import { NOW, sql } from '../platform/db/sql.ts';
import { type NamedStaffRow, staffColumns } from './staff.db.ts';

/** `customer_id` null: of all customers. `limit` null: all. */
interface ExpiringCertsFilter {
  customer_id: string | null;
  within_days: number;
  isNamed: boolean;
  limit: number | null;
  offset: number;
}

/** Ends are in the customer's time zone, soonest first. Terminated staff are left out. */
export const listStaffWithExpiries = ({
  customer_id,
  within_days,
  isNamed,
  limit,
  offset,
}: ExpiringCertsFilter) =>
  sql<NamedStaffRow & { timezone: string }>`
    select ${staffColumns}, timezone, customer_name from (
      with page as materialized (
        select ${staffColumns}, e.soonest, c.timezone, customer_name_of(s.customer_id, ${isNamed}) as customer_name
        from (
          select person_id, min(until) as soonest from expiring_certifications(${NOW}, ${within_days}::integer)
          where ${customer_id}::uuid is null or customer_id = ${customer_id}
          group by person_id
        ) e
        join staff s on s.id = e.person_id
        join customers c on c.id = s.customer_id
        order by e.soonest, s.name, s.id limit ${limit} offset ${offset})
      select * from page where ${PAGE_FITS}) s
    order by s.soonest, s.name, s.id`;
