import Type from 'typebox';
import { NamedObject } from '../platform/contract/named.ts';
import { operation } from '../platform/contract/operation.ts';
import {
  about,
  Clearable,
  CustomerParams,
  Nullable,
  PageOf,
  PageQuery,
  params,
  query,
  Text,
  Timestamp,
  Uuid,
} from '../platform/contract/shapes.ts';
import { Names } from './names.contract.ts';
import { Checked, CheckField, mayRefuse } from './work-check.contract.ts';

const tag = 'Work';

export const Shift = NamedObject('Shift', {
  id: Uuid,
  tenant_id: Uuid,
  customer_id: Uuid,
  person_id: Uuid,
  ...Names,
  job_id: Nullable(Type.String()),
  title: Nullable(Type.String()),
  site: Nullable(Type.String()),
  starts_at: Timestamp,
  ends_at: Timestamp,
  status: Type.String(),
  created_at: Timestamp,
  updated_at: Timestamp,
});

const ShiftFields = {
  person_id: Uuid,
  starts_at: Timestamp,
  ends_at: Timestamp,
  job_id: Clearable(Text(200)),
  title: Clearable(Text(200)),
  site: Clearable(Text(200)),
  status: Clearable(Text(50, 1)),
};

const ShiftCreate = NamedObject('ShiftCreate', { ...ShiftFields, ...CheckField });

/** The columns that a request may change. */
export const ShiftChanges = Type.Object({
  ...ShiftFields,
  person_id: Type.Optional(Uuid),
  starts_at: Type.Optional(Timestamp),
  ends_at: Type.Optional(Timestamp),
});

const ShiftUpdate = NamedObject('ShiftUpdate', { ...ShiftChanges.properties, ...CheckField });

/** As a request that may ask for a check is answered. */
const CheckedShift = NamedObject('CheckedShift', { ...Shift.properties, ...Checked });

export const listShifts = operation({
  id: 'list_shifts',
  method: 'GET',
  path: '/v1/customers/{customer_id}/shifts',
  tag,
  summary: 'List the shifts of a customer’s staff',
  description: 'Newest first.',
  credential: 'admin',
  scope: 'staff:read',
  params: CustomerParams,
  query: query({
    ...PageQuery,
    person_id: about(Type.Optional(Uuid), 'Only those of this person of the staff'),
  }),
  responses: { 200: PageOf(Shift) },
});

export const createShift = operation({
  id: 'create_shift',
  method: 'POST',
  path: '/v1/customers/{customer_id}/shifts',
  tag,
  summary: 'Give a person of the staff a shift',
  description: '`ends_at` is after `starts_at`. The person sees it in the chat.',
  credential: 'admin',
  scope: 'staff:write',
  params: CustomerParams,
  body: ShiftCreate,
  responses: { 201: CheckedShift },
  ...mayRefuse,
});

const ShiftParams = params({ customer_id: Uuid, shift_id: Uuid });

export const updateShift = operation({
  id: 'update_shift',
  method: 'PATCH',
  path: '/v1/customers/{customer_id}/shifts/{shift_id}',
  tag,
  summary: 'Change a shift',
  description: 'Only supplied fields change; null clears an optional one.',
  credential: 'admin',
  scope: 'staff:write',
  params: ShiftParams,
  body: ShiftUpdate,
  responses: { 200: CheckedShift },
  ...mayRefuse,
});

export const deleteShift = operation({
  id: 'delete_shift',
  method: 'DELETE',
  path: '/v1/customers/{customer_id}/shifts/{shift_id}',
  tag,
  summary: 'Delete a shift; its timesheet stays',
  description: 'It is gone for the person at once.',
  credential: 'admin',
  scope: 'staff:delete',
  params: ShiftParams,
  responses: { 204: null },
});
