import type { Queryable } from '../platform/db/queryable.ts';
import { fragment, sql } from '../platform/db/sql.ts';
import type { TimesheetStatus } from './timesheets.contract.ts';

/** What a worker sees of a timesheet. */
export interface WorkerTimesheetRow {
  id: string;
  date: string;
  hours: number;
  description: string | null;
  job_id: string | null;
  rate: number | null;
  shift_id: string | null;
  status: TimesheetStatus;
}

export interface TimesheetRow extends WorkerTimesheetRow {
  tenant_id: string;
  customer_id: string;
  person_id: string;
  created_at: Date;
  updated_at: Date;
}

export type NewTimesheet = Omit<WorkerTimesheetRow, 'id' | 'status'>;

/** Hours and rates are exact in the database and numbers on the wire. */
const workerColumns = fragment(
  'id, date, hours::float8 as hours, description, job_id, rate::float8 as rate, shift_id, status',
);
const columns = fragment(`${workerColumns.text}, tenant_id, customer_id, person_id, created_at, updated_at`);

export const listTimesheets = (
  q: Queryable,
  customer_id: string,
  filter: { status: TimesheetStatus | null; person_id: string | null },
  limit: number,
  offset: number,
) =>
  q.rows(
    sql<TimesheetRow & { total: number }>`
      select ${columns}, count(*) over () as total from timesheets
      where customer_id = ${customer_id}
        and (${filter.status}::text is null or status = ${filter.status})
        and (${filter.person_id}::uuid is null or person_id = ${filter.person_id})
      order by created_at desc, id limit ${limit} offset ${offset}`,
  );

/** A person's own, the latest day first. */
export const listTimesheetsOf = (q: Queryable, person_id: string, limit: number) =>
  q.rows(
    sql<WorkerTimesheetRow>`
      select ${workerColumns} from timesheets where person_id = ${person_id}
      order by date desc, created_at desc, id limit ${limit}`,
  );

/**
 * Violates the unique index timesheets_shift when the shift has one that was not rejected.
 * @returns undefined when the shift is not the person's
 */
export async function insertTimesheet(
  q: Queryable,
  person_id: string,
  timesheet: NewTimesheet,
  now: Date,
): Promise<WorkerTimesheetRow | undefined> {
  const { date, hours, description, job_id, rate, shift_id } = timesheet;
  const [row] = await q.rows(
    sql<WorkerTimesheetRow>`
      insert into timesheets (tenant_id, customer_id, person_id, date, hours, description, job_id, rate, shift_id,
        created_at, updated_at)
      select tenant_id, customer_id, id, ${date}, ${hours}, ${description}, ${job_id}, ${rate}, ${shift_id},
        ${now}, ${now}
      from staff s where id = ${person_id} and (${shift_id}::uuid is null or exists (
        select from shifts where shifts.id = ${shift_id} and shifts.person_id = s.id))
      returning ${workerColumns}`,
  );
  return row;
}

/** @returns undefined when the customer has no such timesheet */
export async function updateTimesheet(
  q: Queryable,
  ids: { customer_id: string; timesheet_id: string },
  status: TimesheetStatus,
  now: Date,
): Promise<TimesheetRow | undefined> {
  const [row] = await q.rows(
    sql<TimesheetRow>`
      update timesheets set status = ${status}, updated_at = greatest(updated_at, ${now})
      where id = ${ids.timesheet_id} and customer_id = ${ids.customer_id} returning ${columns}`,
  );
  return row;
}
