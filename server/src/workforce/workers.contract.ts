import Type from 'typebox';
import { ofSender } from '../identities/senders.contract.ts';
import { protectedBy } from '../pins/pin-gate.contract.ts';
import { NamedObject, named } from '../platform/contract/named.ts';
import { type FieldPlace, operation } from '../platform/contract/operation.ts';
import {
  about,
  Clearable,
  Day,
  InstanceParams,
  Literals,
  Nullable,
  query,
  Text,
  Timestamp,
  Uuid,
} from '../platform/contract/shapes.ts';
import { BindingState, ChannelAddress } from './bindings.contract.ts';
import { WorkerTimesheet } from './timesheets.contract.ts';

/** Needed when the address is bound for several customers (contract, section 16). */
const OfCustomer = {
  customer_id: about(
    Type.Optional(Uuid),
    'Needed where the address is bound with several customers of the instance',
  ),
};

const addressIn = (place: FieldPlace) =>
  ({ place, channel: 'channel_type', external_id: 'channel_address', of: 'Worker' }) as const;

export const me = {
  tag: 'Workers',
  credential: 'instance',
  scope: null,
  params: InstanceParams,
  query: query({ ...ChannelAddress, ...OfCustomer }),
  failures: [403],
  ...protectedBy('worker_*', 'timesheet'),
  sender: { customer_id: 'query', address: addressIn('query') },
} as const;
export const path = '/internal/v1/instances/{instance_id}/worker';

const CERTIFICATION_STATUSES = ['valid', 'expiring', 'expired'] as const;
export type CertificationStatus = (typeof CERTIFICATION_STATUSES)[number];

const Work = {
  id: Uuid,
  job_id: Nullable(Type.String()),
  site: Nullable(Type.String()),
  status: Type.String(),
};

const WorkerAssignment = NamedObject('WorkerAssignment', {
  ...Work,
  title: Nullable(Type.String()),
  starts_at: Nullable(Timestamp),
  ends_at: Nullable(Timestamp),
});

const WorkerCertification = named(
  'WorkerCertification',
  Type.Unsafe<Record<string, unknown> & { days_left: number | null; status: CertificationStatus }>({
    type: 'object',
    properties: { days_left: Nullable(Type.Integer()), status: Literals(CERTIFICATION_STATUSES) },
    required: ['days_left', 'status'],
    additionalProperties: true,
  }),
);

const WorkerShift = NamedObject('WorkerShift', { ...Work, starts_at: Timestamp, ends_at: Timestamp });

export const listMyAssignments = operation({
  ...me,
  id: 'list_my_assignments',
  method: 'GET',
  path: `${path}/me/assignments`,
  summary: 'The assignments of a worker',
  description:
    'Those that have not ended in the order of time, then those that have, the latest first; 200 at most.',
  responses: { 200: Type.Array(WorkerAssignment) },
});

export const listMyCerts = operation({
  ...me,
  id: 'list_my_certs',
  method: 'GET',
  path: `${path}/me/certs`,
  summary: 'The certifications of a worker',
  description: 'A certification is expiring within 42 days. days_left is null where it has no end.',
  responses: { 200: Type.Array(WorkerCertification) },
});

export const listMyShifts = operation({
  ...me,
  id: 'list_my_shifts',
  method: 'GET',
  path: `${path}/me/shifts`,
  summary: 'The shifts of a worker',
  description:
    'Those that have not ended in the order of time, then those that have, the latest first; 200 at most.',
  responses: { 200: Type.Array(WorkerShift) },
});

export const listMyTimesheets = operation({
  ...me,
  id: 'list_my_timesheets',
  method: 'GET',
  path: `${path}/me/timesheets`,
  summary: 'The timesheets of a worker',
  description: 'The last 200, the latest day first.',
  responses: { 200: Type.Array(WorkerTimesheet) },
});

export const createMyTimesheet = operation({
  ...me,
  id: 'create_my_timesheet',
  method: 'POST',
  path: `${path}/me/timesheet`,
  summary: 'Submit hours',
  description: 'The person is found by the address that the message came from, which has to be verified.',
  body: NamedObject('WorkerTimesheetCreate', {
    date: about(Day, 'The day that was worked'),
    hours: about(Type.Number({ exclusiveMinimum: 0, maximum: 24 }), 'How long'),
    description: about(Clearable(Text()), 'What was done'),
    job_id: about(Clearable(Text(200)), 'What it was for, in an id of your own'),
    rate: about(Clearable(Type.Number({ minimum: 0, maximum: 1_000_000_000 })), 'Pay for an hour'),
    shift_id: about(Clearable(Uuid), 'Which of the worker’s shifts it was; each is submitted once'),
  }),
  responses: { 201: WorkerTimesheet },
  failures: [403, 409],
});

export const verifyWorker = operation({
  id: 'verify_worker',
  method: 'POST',
  path: `${path}/verify`,
  tag: me.tag,
  summary: 'Take a worker’s answer to “is this address yours?”',
  description:
    'A yes (or the code, where the binding has one) verifies, a no rejects, anything else changes nothing. Five wrong codes reject.',
  credential: me.credential,
  scope: null,
  params: me.params,
  query: query(OfCustomer),
  ...ofSender({ customer_id: 'query', address: addressIn('body') }),
  body: NamedObject('WorkerVerifyRequest', {
    ...ChannelAddress,
    response: about(Text(), 'What the worker wrote'),
  }),
  responses: {
    200: NamedObject('WorkerVerifyResult', {
      state: BindingState,
      verified: Type.Boolean(),
      person_id: Uuid,
      name: Type.String(),
    }),
  },
});
