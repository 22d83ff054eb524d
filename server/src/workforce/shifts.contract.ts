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
  query,
  Text,
  Timestamp,
  Uuid,
} from '../platform/contract/shapes.ts';

const tag = 'Work';

export const Shift = NamedObject('Shift', {
  id: Uuid,
  tenant_id: Uuid,
  customer_id: Uuid,
  person_id: Uuid,
  job_id: Nullable(Type.String()),
  title: Nullable(Type.String()),
  site: Nullable(Type.String()),
  starts_at: Timestamp,
  ends_at: Timestamp,
  status: Type.String(),
  created_at: Timestamp,
  updated_at: Timestamp,
});

export const listShifts = operation({
  id: 'list_shifts',
  method: 'GET',
  path: '/v1/customers/{customer_id}/shifts',
  tag,
  summary: 'List the shifts of a customer’s staff',
  credential: 'admin',
  scope: 'staff:read',
  mcp: {},
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
  credential: 'admin',
  scope: 'staff:write',
  params: CustomerParams,
  body: NamedObject('ShiftCreate', {
    person_id: Uuid,
    starts_at: Timestamp,
    ends_at: Timestamp,
    job_id: Clearable(Text(200)),
    title: Clearable(Text(200)),
    site: Clearable(Text(200)),
    status: Clearable(Text(50, 1)),
  }),
  responses: { 201: Shift },
});
