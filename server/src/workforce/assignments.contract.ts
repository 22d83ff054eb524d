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

export const Assignment = NamedObject('Assignment', {
  id: Uuid,
  tenant_id: Uuid,
  customer_id: Uuid,
  person_id: Uuid,
  ...Names,
  job_id: Nullable(Type.String()),
  title: Nullable(Type.String()),
  site: Nullable(Type.String()),
  starts_at: Nullable(Timestamp),
  ends_at: Nullable(Timestamp),
  status: Type.String(),
  created_at: Timestamp,
  updated_at: Timestamp,
});

const AssignmentFields = {
  person_id: Uuid,
  starts_at: Clearable(Timestamp),
  ends_at: Clearable(Timestamp),
  job_id: Clearable(Text(200)),
  title: Clearable(Text(200)),
  site: Clearable(Text(200)),
  status: Clearable(Text(50, 1)),
};

const AssignmentCreate = NamedObject('AssignmentCreate', { ...AssignmentFields, ...CheckField });

/** The columns that a request may change. */
export const AssignmentChanges = Type.Object({
  ...AssignmentFields,
  person_id: Type.Optional(Uuid),
});

const AssignmentUpdate = NamedObject('AssignmentUpdate', { ...AssignmentChanges.properties, ...CheckField });

/** As a request that may ask for a check is answered. */
const CheckedAssignment = NamedObject('CheckedAssignment', { ...Assignment.properties, ...Checked });

export const listAssignments = operation({
  id: 'list_assignments',
  method: 'GET',
  path: '/v1/customers/{customer_id}/assignments',
  tag,
  summary: 'List the assignments of a customer’s staff',
  description: 'Newest first.',
  credential: 'admin',
  scope: 'staff:read',
  params: CustomerParams,
  query: query({
    ...PageQuery,
    person_id: about(Type.Optional(Uuid), 'Only those of this person of the staff'),
  }),
  responses: { 200: PageOf(Assignment) },
});

export const createAssignment = operation({
  id: 'create_assignment',
  method: 'POST',
  path: '/v1/customers/{customer_id}/assignments',
  tag,
  summary: 'Give a person of the staff an assignment',
  description: 'An assignment may be open-ended, unlike a shift.',
  credential: 'admin',
  scope: 'staff:write',
  params: CustomerParams,
  body: AssignmentCreate,
  responses: { 201: CheckedAssignment },
  ...mayRefuse,
});

const AssignmentParams = params({ customer_id: Uuid, assignment_id: Uuid });

export const updateAssignment = operation({
  id: 'update_assignment',
  method: 'PATCH',
  path: '/v1/customers/{customer_id}/assignments/{assignment_id}',
  tag,
  summary: 'Change an assignment',
  description: 'Only supplied fields change; null clears an optional one.',
  credential: 'admin',
  scope: 'staff:write',
  params: AssignmentParams,
  body: AssignmentUpdate,
  responses: { 200: CheckedAssignment },
  ...mayRefuse,
});

export const deleteAssignment = operation({
  id: 'delete_assignment',
  method: 'DELETE',
  path: '/v1/customers/{customer_id}/assignments/{assignment_id}',
  tag,
  summary: 'Delete an assignment',
  description: 'It is gone for the person at once.',
  credential: 'admin',
  scope: 'staff:delete',
  params: AssignmentParams,
  responses: { 204: null },
});
