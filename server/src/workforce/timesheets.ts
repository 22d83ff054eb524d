import { customerExists } from '../customers/customers.db.ts';
import { isUniqueViolation } from '../platform/db/constraint-errors.ts';
import type { Queryable } from '../platform/db/queryable.ts';
import { conflict, found } from '../platform/errors.ts';
import type { TimesheetStatus } from './timesheets.contract.ts';
import {
  insertTimesheet,
  lockPerson,
  type NewTimesheet,
  type TimesheetRow,
  updateTimesheet,
  type WorkerTimesheetRow,
} from './timesheets.db.ts';

/** A shift is paid once (timesheets_shift). */
async function refuseSecondTimesheet<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (!isUniqueViolation(error, 'timesheets_shift')) throw error;
    throw conflict('The shift has a timesheet already');
  }
}

/** The lock orders a person's entries, so each warning considers those before it. */
export async function addTimesheet(
  q: Queryable,
  person_id: string,
  timesheet: NewTimesheet,
): Promise<WorkerTimesheetRow> {
  const { row } = await refuseSecondTimesheet(
    q.run({ lock: lockPerson(person_id), row: insertTimesheet(person_id, timesheet) }),
  );
  return found('Shift', row);
}

export async function setTimesheetStatus(
  q: Queryable,
  ids: { customer_id: string; timesheet_id: string },
  status: TimesheetStatus,
): Promise<TimesheetRow> {
  const { row } = await refuseSecondTimesheet(
    q.run({ customer: customerExists(ids.customer_id), row: updateTimesheet(ids, status) }),
  );
  return found('Timesheet', row);
}
