import { customerExists } from '../customers/customers.db.ts';
import { isUniqueViolation } from '../platform/db/constraint-errors.ts';
import type { Queryable } from '../platform/db/queryable.ts';
import { conflict, type Fault, found, valueFault } from '../platform/errors.ts';
import type { TimesheetStatus } from './timesheets.contract.ts';
import {
  decideTimesheets,
  insertTimesheet,
  lockPerson,
  type NewTimesheet,
  type TimesheetRow,
  updateTimesheet,
  type WorkerTimesheetRow,
} from './timesheets.db.ts';

const SECOND_TIMESHEET = 'The shift has a timesheet already';

/** A shift is paid once (timesheets_shift). */
async function refuseSecondTimesheet<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (!isUniqueViolation(error, 'timesheets_shift')) throw error;
    throw conflict(SECOND_TIMESHEET);
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
  isNamed: boolean,
): Promise<TimesheetRow> {
  const { row } = await refuseSecondTimesheet(
    q.run({ customer: customerExists(ids.customer_id), row: updateTimesheet(ids, status, isNamed) }),
  );
  return found('Timesheet', row);
}

/** Each on its own; faults are in the order of the request. */
export async function setTimesheetStatuses(
  q: Queryable,
  ids: readonly string[],
  status: TimesheetStatus,
): Promise<{ updated: number; errors: (Fault & { index: number })[] }> {
  const rows = await q.run(decideTimesheets(ids, status));
  const done = new Map(rows.map(({ id, is_done }) => [id, is_done]));
  const errors = ids.flatMap((id, index) => {
    const isDone = done.get(id.toLowerCase());
    if (isDone) return [];
    const words = isDone === undefined ? 'Timesheet not found' : SECOND_TIMESHEET;
    return [{ index, ...valueFault(['body', 'ids', String(index)], words) }];
  });
  return { updated: rows.filter(({ is_done }) => is_done).length, errors };
}
