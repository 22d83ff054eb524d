import { fragment, NOW, sql } from '../platform/db/sql.ts';
import type { TimesheetStatus, TimesheetWarning } from './timesheets.contract.ts';

export interface WorkerTimesheetRow {
  id: string;
  date: string;
  hours: number;
  description: string | null;
  job_id: string | null;
  rate: number | null;
  shift_id: string | null;
  status: TimesheetStatus;
  warnings: TimesheetWarning[];
}

export interface TimesheetRow extends WorkerTimesheetRow {
  tenant_id: string;
  customer_id: string;
  customer_name: string | null;
  person_id: string | null;
  person_name: string | null;
  created_at: Date;
  updated_at: Date;
}

export type NewTimesheet = Omit<WorkerTimesheetRow, 'id' | 'status' | 'warnings'>;

/** Computed at each read: a warning disappears when other entries of the day are rejected. */
const warnings = fragment(`array_remove(array[
    case when t.date > (t.created_at at time zone (select c.timezone from customers c where c.id = t.customer_id))::date
         then 'future' end,
    case when t.hours > 24 - coalesce((
           select sum(o.hours) from timesheets o
           where o.person_id = t.person_id and o.date = t.date and o.number < t.number and o.status <> 'rejected'), 0)
         then 'over_24_h' end], null) as warnings`);

/** Exact decimals in the database, JSON numbers on the wire. */
const workerColumns = fragment(
  `t.id, t.date, t.hours::float8 as hours, t.description, t.job_id, t.rate::float8 as rate, t.shift_id, t.status,
   ${warnings.text}`,
);
const columns = fragment(
  `${workerColumns.text}, t.tenant_id, t.customer_id, t.person_id, t.created_at, t.updated_at,
   (select name from staff where id = t.person_id) as person_name`,
);

/** Absent: any. */
interface TimesheetFilter {
  customer_id?: string | undefined;
  status?: TimesheetStatus | undefined;
  person_id?: string | undefined;
  /** Days, both included. */
  from?: string | undefined;
  to?: string | undefined;
}

/** Newest first. */
export const listTimesheets = (
  { customer_id, status, person_id, from, to }: TimesheetFilter,
  isNamed: boolean,
  limit: number,
  offset: number,
) =>
  sql<TimesheetRow & { total: number }>`
    select ${columns}, count(*) over () as total,
           customer_name_of(t.customer_id, ${isNamed}) as customer_name
    from timesheets t
    where (${customer_id}::uuid is null or customer_id = ${customer_id})
      and (${status}::text is null or status = ${status})
      and (${person_id}::uuid is null or person_id = ${person_id})
      and (${from}::date is null or date >= ${from}) and (${to}::date is null or date <= ${to})
    order by created_at desc, id limit ${limit} offset ${offset}`;

export const listTimesheetsOf = (person_id: string, limit: number) =>
  sql<WorkerTimesheetRow>`
    select ${workerColumns} from timesheets t where person_id = ${person_id}
    order by date desc, created_at desc, id limit ${limit}`;

/** Other rows may still refer to the person meanwhile. */
export const lockPerson = (id: string) => sql`select from staff where id = ${id} for no key update`;

/**
 * undefined when the shift is not the person's. The index timesheets_shift allows one unrejected timesheet per shift.
 */
export const insertTimesheet = (person_id: string, timesheet: NewTimesheet) => {
  const { date, hours, description, job_id, rate, shift_id } = timesheet;
  return sql<WorkerTimesheetRow>`
    insert into timesheets as t (tenant_id, customer_id, person_id, date, hours, description, job_id, rate, shift_id,
      created_at, updated_at)
    select tenant_id, customer_id, id, ${date}, ${hours}, ${description}, ${job_id}, ${rate}, ${shift_id},
      ${NOW}, ${NOW}
    from staff s where id = ${person_id} and (${shift_id}::uuid is null or exists (
      select from shifts where shifts.id = ${shift_id} and shifts.person_id = s.id))
    returning ${workerColumns}`.first();
};

export const updateTimesheet = (
  ids: { customer_id: string; timesheet_id: string },
  status: TimesheetStatus,
  isNamed: boolean,
) =>
  sql<TimesheetRow>`
    update timesheets t set status = ${status}, updated_at = greatest(updated_at, ${NOW})
    where id = ${ids.timesheet_id} and customer_id = ${ids.customer_id}
    returning ${columns}, customer_name_of(t.customer_id, ${isNamed}) as customer_name`.first();

/** Without the unknown ones. Not done: the shift has another timesheet that was not rejected. */
export const decideTimesheets = (ids: readonly string[], status: TimesheetStatus) =>
  sql<{ id: string; is_done: boolean }>`
    select timesheet_id as id, is_done from decide_timesheets(${ids}::uuid[], ${status}, ${NOW})`;
