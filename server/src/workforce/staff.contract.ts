import Type from 'typebox';
import { BOUNDS } from '../catalogue/bounds.contract.ts';
import { onlyIntroduced } from '../identities/senders.contract.ts';
import { protectedBy } from '../pins/pin-gate.contract.ts';
import { NamedObject } from '../platform/contract/named.ts';
import { operation } from '../platform/contract/operation.ts';
import {
  about,
  CustomerParams,
  Fault,
  InstanceParams,
  Int,
  Name,
  OpenElement,
  params,
  query,
  Timestamp,
  Uuid,
  within,
} from '../platform/contract/shapes.ts';
import { Label, optionalShapes, Status, storedShapes } from './staff-fields.contract.ts';

const tag = 'Staff';

/** Specification, section 8. */
const StaffPageQuery = {
  page: Int({ minimum: 1, default: 1 }),
  per_page: Int({ minimum: 1, maximum: 200, default: 50 }),
};

const StaffFilters = {
  skills: Type.Optional(
    Type.String({ maxLength: 2000, description: 'Separated by commas; all of them, without case' }),
  ),
  status: Type.Optional(Status),
};

const StaffRecord = NamedObject('StaffRecord', {
  id: Uuid,
  tenant_id: Uuid,
  customer_id: Uuid,
  ...storedShapes,
  created_at: Timestamp,
  updated_at: Timestamp,
});

const StaffPage = NamedObject('StaffPage', {
  page: Type.Integer(),
  per_page: Type.Integer(),
  total: Type.Integer(),
  staff: Type.Array(StaffRecord),
});

const StaffWithExpiringCerts = NamedObject('StaffWithExpiringCerts', {
  ...StaffRecord.properties,
  expiring_certifications: Type.Array(
    Type.Unsafe<Record<string, unknown> & { days_left: number }>({
      type: 'object',
      properties: { days_left: Type.Integer() },
      required: ['days_left'],
      additionalProperties: true,
    }),
  ),
});

export const StaffCreate = NamedObject('StaffCreate', { name: Name, ...optionalShapes });

export const StaffUpdate = NamedObject('StaffUpdate', {
  name: Type.Optional(Name),
  ...optionalShapes,
  status: Type.Optional(Status),
});

/** Items are validated one by one (checkImport in staff.http.ts). */
const StaffImportRequest = NamedObject('StaffImportRequest', {
  staff: Type.Array(within(BOUNDS.staff.record_bytes, OpenElement), {
    maxItems: 200,
    description: 'Records as create_staff takes them; one with a known external_id changes that record',
  }),
});

const StaffImportFault = NamedObject('StaffImportFault', { index: Type.Integer(), ...Fault.properties });

const StaffImportResult = NamedObject('StaffImportResult', {
  created: Type.Integer(),
  updated: Type.Integer(),
  errors: Type.Array(StaffImportFault),
});

const importRule =
  'Each item that is valid is created, or changes the record that has its external_id: fields that it leaves out stay. The faults of the others are listed.';

const introducedOnly = onlyIntroduced('staff_query');
const internal = { tag, credential: 'instance', scope: null, ...protectedBy('staff_query') } as const;
const path = '/internal/v1/instances/{instance_id}/staff';
const senderInQuery = { sender: { customer_id: 'query', introducedOnly: true } } as const;
const senderByPerson = { sender: { person_id: 'params', introducedOnly: true } } as const;
const PersonParams = params({ instance_id: Uuid, person_id: Uuid });
export const CustomerPersonParams = params({ customer_id: Uuid, person_id: Uuid });

export const listStaff = operation({
  ...internal,
  ...senderInQuery,
  id: 'list_staff',
  method: 'GET',
  path,
  summary: 'Find staff of a customer',
  description: `Every filter given has to match. In the order of names. ${introducedOnly}`,
  params: InstanceParams,
  query: query({
    customer_id: Uuid,
    ...StaffFilters,
    induction_site: about(Type.Optional(Label), 'Has an induction for this site that has not expired'),
    cert_type: about(Type.Optional(Label), 'Has a certification of this type that has not expired'),
    tier: Type.Optional(Int()),
    exclude_lapsed: about(
      Type.Boolean({ default: false }),
      'Leaves out who has had a certification of a type named in skills and has none of it that is valid',
    ),
    ...StaffPageQuery,
  }),
  responses: { 200: StaffPage },
});

export const createStaff = operation({
  ...internal,
  ...senderInQuery,
  id: 'create_staff',
  method: 'POST',
  path,
  summary: 'Add a staff record',
  description: `For the customer of the instance, which a shared instance names. ${introducedOnly}`,
  params: InstanceParams,
  query: query({ customer_id: Uuid }),
  body: StaffCreate,
  responses: { 201: StaffRecord },
  failures: [403, 409],
});

export const listExpiringCerts = operation({
  ...internal,
  ...senderInQuery,
  id: 'list_expiring_certs',
  method: 'GET',
  path: `${path}/expiring-certs`,
  summary: 'Staff whose certifications expire soon',
  description: `Soonest first. Days count in the customer’s time zone; who has left (\`terminated\`) is not listed. ${introducedOnly}`,
  params: InstanceParams,
  query: query({
    customer_id: Uuid,
    within_days: about(Int({ minimum: 1, maximum: 365, default: 42 }), 'Counted from today'),
  }),
  responses: { 200: Type.Array(StaffWithExpiringCerts) },
});

export const importStaff = operation({
  ...internal,
  ...senderInQuery,
  id: 'import_staff',
  method: 'POST',
  path: `${path}/import`,
  summary: 'Add or change many staff records',
  description: `${importRule} ${introducedOnly}`,
  params: InstanceParams,
  query: query({ customer_id: Uuid }),
  body: StaffImportRequest,
  responses: { 200: StaffImportResult },
});

export const getStaff = operation({
  ...internal,
  ...senderByPerson,
  id: 'get_staff',
  method: 'GET',
  path: `${path}/{person_id}`,
  summary: 'A staff record',
  description: `404 where the person belongs to a customer that the instance does not serve. ${introducedOnly}`,
  params: PersonParams,
  responses: { 200: StaffRecord },
});

export const updateStaff = operation({
  ...internal,
  ...senderByPerson,
  id: 'update_staff',
  method: 'PATCH',
  path: `${path}/{person_id}`,
  summary: 'Change a staff record',
  description: `Only supplied fields change; null clears an optional one. ${introducedOnly}`,
  params: PersonParams,
  body: StaffUpdate,
  responses: { 200: StaffRecord },
  failures: [409],
});

export const listCustomerStaff = operation({
  id: 'list_customer_staff',
  method: 'GET',
  path: '/v1/customers/{customer_id}/staff',
  tag,
  summary: 'List a customer’s staff',
  description: 'By name, with the filters of the agents’ own search.',
  credential: 'admin_user',
  scope: 'staff:read',
  params: CustomerParams,
  query: query({ ...StaffFilters, ...StaffPageQuery }),
  responses: { 200: StaffPage },
});

export const importCustomerStaff = operation({
  id: 'import_customer_staff',
  method: 'POST',
  path: '/v1/customers/{customer_id}/staff/import',
  tag,
  summary: 'Add or change many staff records of a customer',
  description: importRule,
  credential: 'admin_user',
  scope: 'staff:write',
  params: CustomerParams,
  body: StaffImportRequest,
  responses: { 200: StaffImportResult },
});

const ofCustomer = { tag, credential: 'admin', params: CustomerPersonParams } as const;
const personPath = '/v1/customers/{customer_id}/staff/{person_id}';

export const createCustomerStaff = operation({
  ...ofCustomer,
  id: 'create_customer_staff',
  method: 'POST',
  path: '/v1/customers/{customer_id}/staff',
  summary: 'Add a staff record to a customer',
  description: 'The record is what agents search and what shifts, assignments and bindings name.',
  scope: 'staff:write',
  params: CustomerParams,
  body: StaffCreate,
  responses: { 201: StaffRecord },
  failures: [409],
});

export const getCustomerStaff = operation({
  ...ofCustomer,
  id: 'get_customer_staff',
  method: 'GET',
  path: personPath,
  summary: 'A staff record of a customer',
  description: 'With skills, certifications and inductions.',
  scope: 'staff:read',
  responses: { 200: StaffRecord },
});

export const updateCustomerStaff = operation({
  ...ofCustomer,
  id: 'update_customer_staff',
  method: 'PATCH',
  path: personPath,
  summary: 'Change a staff record of a customer',
  description: 'Only supplied fields change; null clears an optional one, and a list replaces the list.',
  scope: 'staff:write',
  body: StaffUpdate,
  responses: { 200: StaffRecord },
  failures: [409],
});

export const deleteCustomerStaff = operation({
  ...ofCustomer,
  id: 'delete_customer_staff',
  method: 'DELETE',
  path: personPath,
  summary: 'Erase a staff record',
  description:
    'With its bindings, shifts and assignments, at once and for good. Timesheets stay without the person. A status of terminated keeps the record instead.',
  scope: 'staff:delete',
  responses: { 204: null },
});
