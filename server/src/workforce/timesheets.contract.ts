import Type from 'typebox';
import { NamedObject, named } from '../platform/contract/named.ts';
import { operation } from '../platform/contract/operation.ts';
import {
  about,
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
import { ItemFault } from './item-fault.contract.ts';
import { Names } from './names.contract.ts';

const tag = 'Work';

const TIMESHEET_STATUSES = ['submitted', 'approved', 'rejected'] as const;
export type TimesheetStatus = (typeof TIMESHEET_STATUSES)[number];

const Status = named('TimesheetStatus', Literals(TIMESHEET_STATUSES));

const TIMESHEET_WARNINGS = ['future', 'over_24_h'] as const;
export type TimesheetWarning = (typeof TIMESHEET_WARNINGS)[number];

/** The part that workers see (contract, section 6). */
export const WorkerTimesheet = NamedObject('WorkerTimesheet', {
  id: Uuid,
  date: Day,
  hours: Type.Number(),
  description: Nullable(Type.String()),
  job_id: Nullable(Type.String()),
  rate: Nullable(Type.Number()),
  shift_id: Nullable(Uuid),
  status: Status,
  warnings: Type.Array(Literals(TIMESHEET_WARNINGS), {
    description:
      'future: it was submitted before the day began, by the customer’s time zone; over_24_h: with it and earlier entries that were not rejected, the person’s day has more than 24 hours',
  }),
});

const Timesheet = NamedObject('Timesheet', {
  ...WorkerTimesheet.properties,
  tenant_id: Uuid,
  customer_id: Uuid,
  person_id: about(Nullable(Uuid), 'null once the staff record was deleted'),
  ...Names,
  created_at: Timestamp,
  updated_at: Timestamp,
});

const TimesheetFilters = {
  status: Type.Optional(Status),
  person_id: about(Type.Optional(Uuid), 'Only those of this person of the staff'),
  from: about(Type.Optional(Day), 'The first day of work'),
  to: about(Type.Optional(Day), 'The last day of work, which is included'),
};

export const listTimesheets = operation({
  id: 'list_timesheets',
  method: 'GET',
  path: '/v1/customers/{customer_id}/timesheets',
  tag,
  summary: 'List the timesheets of a customer’s staff',
  description: 'Hours that people submitted in the chat, newest first.',
  credential: 'admin',
  scope: 'staff:read',
  params: CustomerParams,
  query: query({ ...PageQuery, ...TimesheetFilters }),
  responses: { 200: PageOf(Timesheet) },
});

export const listTenantTimesheets = operation({
  id: 'list_tenant_timesheets',
  method: 'GET',
  path: '/v1/timesheets',
  tag,
  summary: 'List the timesheets of all customers’ staff',
  description: 'Hours that people submitted in the chat, newest first.',
  credential: 'admin',
  scope: 'staff:read',
  query: query({
    ...PageQuery,
    ...TimesheetFilters,
    customer_id: about(Type.Optional(Uuid), 'Only those of this customer’s staff'),
  }),
  responses: { 200: PageOf(Timesheet) },
});

export const decideTimesheets = operation({
  id: 'decide_timesheets',
  method: 'POST',
  path: '/v1/timesheets/decide',
  tag,
  summary: 'Approve or reject several timesheets',
  description:
    'Each is decided on its own. `errors` names those that stayed as they were: the unknown ones, and those whose shift has another timesheet.',
  credential: 'admin',
  scope: 'staff:write',
  body: NamedObject('TimesheetsDecideRequest', {
    ids: about(Type.Array(Uuid, { maxItems: 200 }), 'The timesheets; one that is named twice counts once'),
    status: Status,
  }),
  responses: {
    200: NamedObject('TimesheetsDecideResult', { updated: Type.Integer(), errors: Type.Array(ItemFault) }),
  },
});

export const updateTimesheet = operation({
  id: 'update_timesheet',
  method: 'PATCH',
  path: '/v1/customers/{customer_id}/timesheets/{timesheet_id}',
  tag,
  summary: 'Approve or reject a timesheet',
  description: 'The decision of a person on submitted hours.',
  credential: 'admin',
  scope: 'staff:write',
  params: params({ customer_id: Uuid, timesheet_id: Uuid }),
  body: NamedObject('TimesheetUpdate', { status: Status }),
  responses: { 200: Timesheet },
  failures: [409],
});
