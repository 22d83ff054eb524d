import { NOW, sql } from '../platform/db/sql.ts';
import type { Case, FindCase } from './needs.db.ts';
import { EXPIRING_DAYS } from './overview.db.ts';

export const countStaffNeeds = () =>
  sql<{ submitted_timesheets: number; expiring_certs: number }>`
    select (select count(*)::int from timesheets where status = 'submitted') as submitted_timesheets,
           (select count(*)::int from expiring_certifications(${NOW}, ${EXPIRING_DAYS}::int)) as expiring_certs`.one();

export const findSubmittedTimesheet: FindCase = (isNamed) =>
  sql<Case>`
    select w.id, w.since, null::timestamptz as until, null::uuid as instance_id, null as hostname, w.customer_id,
           coalesce((select name from staff where id = w.person_id), '') as title,
           to_char(w.date, 'YYYY-MM-DD') || ', ' || trim_scale(w.hours) || ' h' as detail,
           customer_name_of(w.customer_id, ${isNamed}) as customer_name
    from (
      select id, customer_id, person_id, date, hours, created_at as since from timesheets
      where status = 'submitted' order by created_at, id limit 1) w`.first();

/** Terms are in lower case: the detail is the certification's own spelling. */
export const findExpiringCert: FindCase = (isNamed) =>
  sql<Case>`
    select w.person_id as id, null::timestamptz as since, w.until, null::uuid as instance_id, null as hostname, w.customer_id,
           w.name as title, (
             select n.name from jsonb_array_elements(w.certifications) e cross join lateral (
               select case jsonb_typeof(e) when 'object' then coalesce(e ->> 'type', e ->> 'name', '') else e #>> '{}' end) n (name)
             where staff_term('certification', n.name) = w.term limit 1) as detail,
           customer_name_of(w.customer_id, ${isNamed}) as customer_name
    from (
      select * from expiring_certifications(${NOW}, ${EXPIRING_DAYS}::int) order by until, person_id limit 1) w`.first();
