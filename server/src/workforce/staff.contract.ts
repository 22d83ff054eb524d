import Type from 'typebox';
import { BOUNDS } from '../catalogue/bounds.contract.ts';
import { CustomerName } from '../customers/customer-names.contract.ts';
import { onlyIntroduced } from '../identities/senders.contract.ts';
import { protectedBy } from '../pins/pin-gate.contract.ts';
import { NamedObject } from '../platform/contract/named.ts';
import { operation } from '../platform/contract/operation.ts';
import {
  about,
  CustomerParams,
  InstanceParams,
  Int,
  Literals,
  Name,
  OpenElement,
  params,
  query,
  Search,
  Timestamp,
  Uuid,
  within,
} from '../platform/contract/shapes.ts';
import { ItemFault } from './item-fault.contract.ts';
import { Label, optionalShapes, Status, storedShapes } from './staff-fields.contract.ts';

const tag = 'Staff';

/** Specification, section 8. */
const StaffPageQuery = {
  page: Int({ minimum: 1, default: 1 }),
  per_page: Int({ minimum: 1, maximum: 200, default: 50 }),
};

const STAFF_SORTS = ['name', 'tier', 'created_at'] as const;
export type StaffSort = (typeof STAFF_SORTS)[number];

const StaffFilters = {
  skills: Type.Optional(
    Type.String({ maxLength: 2000, description: 'Separated by commas; all of them, without case' }),
  ),
  status: Type.Optional(Status),
  search: Search('name, the e-mail address or the external id'),
  sort_by: about(Literals(STAFF_SORTS, { default: 'name' }), 'What the rows are ordered by'),
  sort_dir: about(
    Type.Optional(Literals(['asc', 'desc'])),
    'Upwards or downwards; where nothing is said, downwards by created_at and upwards else',
  ),
};

export const StaffRecord = NamedObject('StaffRecord', {
  id: Uuid,
  tenant_id: Uuid,
  customer_id: Uuid,
  ...storedShapes,
  created_at: Timestamp,
  updated_at: Timestamp,
});

/** As the tenant's own routes answer. */
export const CustomerStaffRecord = NamedObject('CustomerStaffRecord', {
  ...StaffRecord.properties,
  customer_name: CustomerName,
});

const StaffPage = NamedObject('StaffPage', {
  page: Type.Integer(),
  per_page: Type.Integer(),
  total: Type.Integer(),
  staff: Type.Array(StaffRecord),
});

const CustomerStaffPage = NamedObject('CustomerStaffPage', {
  ...StaffPage.properties,
  staff: Type.Array(CustomerStaffRecord),
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

const StaffImportResult = NamedObject('StaffImportResult', {
  created: Type.Integer(),
  updated: Type.Integer(),
  errors: Type.Array(ItemFault),
});

const importRule =
  'Each item that is valid is created, or changes the record that has its external_id: fields that it leaves out stay. The faults of the others are listed.';

export const introducedOnly = onlyIntroduced('staff_query');
export const internal = { tag, credential: 'instance', scope: null, ...protectedBy('staff_query') } as const;
export const path = '/internal/v1/instances/{instance_id}/staff';
export const senderInQuery = { sender: { customer_id: 'query', introducedOnly: true } } as const;
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
  description: `Every filter given has to match. In the order of names, unless asked otherwise. ${introducedOnly}`,
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
  description: 'By name, unless asked otherwise.',
  credential: 'admin_user',
  scope: 'staff:read',
  params: CustomerParams,
  query: query({ ...StaffFilters, ...StaffPageQuery }),
  responses: { 200: CustomerStaffPage },
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
  responses: { 201: CustomerStaffRecord },
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
  responses: { 200: CustomerStaffRecord },
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
  responses: { 200: CustomerStaffRecord },
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
