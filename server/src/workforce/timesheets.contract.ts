import Type from 'typebox';
import { NamedObject, named } from '../platform/contract/named.ts';
import { operation } from '../platform/contract/operation.ts';
import {
  CustomerParams,
  Day,
  Literals,
  Nullable,
  PageOf,
  PageQuery,
  params,
  query,
  Timestamp,
  Uuid,
} from '../platform/contract/shapes.ts';

const tag = 'Work';

const TIMESHEET_STATUSES = ['submitted', 'approved', 'rejected'] as const;
export type TimesheetStatus = (typeof TIMESHEET_STATUSES)[number];

const Status = named('TimesheetStatus', Literals(TIMESHEET_STATUSES));

/** The part of a timesheet that a worker sees (contract, section 6). */
export const WorkerTimesheet = NamedObject('WorkerTimesheet', {
  id: Uuid,
  date: Day,
  hours: Type.Number(),
  description: Nullable(Type.String()),
  job_id: Nullable(Type.String()),
  rate: Nullable(Type.Number()),
  shift_id: Nullable(Uuid),
  status: Status,
});

const Timesheet = NamedObject('Timesheet', {
  ...WorkerTimesheet.properties,
  tenant_id: Uuid,
  customer_id: Uuid,
  person_id: Uuid,
  created_at: Timestamp,
  updated_at: Timestamp,
});

export const listTimesheets = operation({
  id: 'list_timesheets',
  method: 'GET',
  path: '/v1/customers/{customer_id}/timesheets',
  tag,
  summary: 'List the timesheets of a customer’s staff',
  credential: 'admin',
  scope: 'staff:read',
  params: CustomerParams,
  query: query({
    ...PageQuery,
    status: Type.Optional(Status),
    person_id: Type.Optional(Uuid),
  }),
  responses: { 200: PageOf(Timesheet) },
});

export const updateTimesheet = operation({
  id: 'update_timesheet',
  method: 'PATCH',
  path: '/v1/customers/{customer_id}/timesheets/{timesheet_id}',
  tag,
  summary: 'Approve or reject a timesheet',
  credential: 'admin',
  scope: 'staff:write',
  params: params({ customer_id: Uuid, timesheet_id: Uuid }),
  body: NamedObject('TimesheetUpdate', { status: Status }),
  responses: { 200: Timesheet },
  failures: [409],
});
