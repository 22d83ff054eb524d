import { ofCustomer } from '../customers/customers.ts';
import type { Queryable } from '../platform/db/queryable.ts';
import { isUniqueViolation } from '../platform/db/refusals.ts';
import { conflict, notFound } from '../platform/errors.ts';
import type { TimesheetStatus } from './timesheets.contract.ts';
import { insertTimesheet, type NewTimesheet, type TimesheetRow, updateTimesheet } from './timesheets.db.ts';

export { listTimesheets } from './timesheets.db.ts';

/** A shift is paid once: a second timesheet for it is 409, unless the first was rejected. */
async function oncePerShift<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (!isUniqueViolation(error, 'timesheets_shift')) throw error;
    throw conflict('The shift has a timesheet already');
  }
}

/** Submits hours of a person who is known to be who they say. */
export async function addTimesheet(q: Queryable, person_id: string, timesheet: NewTimesheet, now: Date) {
  const row = await oncePerShift(insertTimesheet(q, person_id, timesheet, now));
  if (!row) throw notFound('Shift');
  return row;
}

export async function setTimesheetStatus(
  q: Queryable,
  ids: { customer_id: string; timesheet_id: string },
  status: TimesheetStatus,
  now: Date,
): Promise<TimesheetRow> {
  const row = await oncePerShift(ofCustomer(q, ids.customer_id, updateTimesheet(q, ids, status, now)));
  if (!row) throw notFound('Timesheet');
  return row;
}
