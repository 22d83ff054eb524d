import Type from 'typebox';
import { Email } from '../access/users.contract.ts';
import { NamedObject, named } from '../platform/contract/named.ts';
import { operation } from '../platform/contract/operation.ts';
import {
  about,
  Clearable,
  Fault,
  InstanceParams,
  Int,
  Literals,
  Name,
  Nullable,
  OpenElement,
  params,
  query,
  Text,
  Timestamp,
  Uuid,
} from '../platform/contract/shapes.ts';

const tag = 'Staff';

const STAFF_ROLES = ['employee', 'contractor', 'supplier', 'customer_contact'] as const;
export type StaffRole = (typeof STAFF_ROLES)[number];

/** Contract, section 6. */
const STAFF_STATUSES = ['active', 'inactive', 'on_leave', 'suspended', 'terminated'] as const;
export type StaffStatus = (typeof STAFF_STATUSES)[number];

const Role = named('StaffRole', Literals(STAFF_ROLES));
const Status = named('StaffStatus', Literals(STAFF_STATUSES));

/** Staff lists have their own bounds (specification, section 8). */
export const StaffPageQuery = {
  page: Int({ minimum: 1, default: 1 }),
  per_page: Int({ minimum: 1, maximum: 200, default: 50 }),
};

export const StaffFilters = {
  skills: Type.Optional(
    Type.String({ maxLength: 2000, description: 'Separated by commas; all of them, without case' }),
  ),
  status: Type.Optional(Status),
};

const StaffRecord = NamedObject('StaffRecord', {
  id: Uuid,
  tenant_id: Uuid,
  customer_id: Uuid,
  name: Type.String(),
  email: Nullable(Type.String()),
  phone: Nullable(Type.String()),
  role: Role,
  skills: Type.Array(Type.String()),
  certifications: Type.Array(OpenElement),
  inductions: Type.Array(OpenElement),
  tier: Type.Integer(),
  status: Status,
  availability_notes: Nullable(Type.String()),
  created_at: Timestamp,
  updated_at: Timestamp,
});

export const StaffPage = NamedObject('StaffPage', {
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

const Label = Text(200, 1);

/**
 * A bare string, or an object that names itself by `label` (or `name`) and may expire; its other fields are the
 * client's own. One schema rather than a union, so that a fault is told once.
 */
const Qualification = (label: 'type' | 'site') =>
  Type.Unsafe<string | Record<string, unknown>>({
    type: ['string', 'object'],
    minLength: 1,
    maxLength: 200,
    properties: {
      [label]: Type.Optional(Label),
      name: Type.Optional(Label),
      expires_at: Clearable(
        Type.String({
          format: 'expiry',
          description: 'A day, or a time; what has no offset is of the customer’s time zone',
        }),
      ),
    },
    additionalProperties: true,
  });

const List = <T extends ReturnType<typeof Qualification> | typeof Label>(element: T) =>
  Type.Array(element, { maxItems: 1000 });

const profile = {
  email: Clearable(Email),
  phone: Clearable(Text(50)),
  role: Clearable(Role),
  skills: about(Clearable(List(Label)), 'What the person can do, as "forklift"; found without case'),
  certifications: about(
    Clearable(List(Qualification('type'))),
    'Types, or objects {"type": "first_aid", "expires_at": "2027-03-31", …}; their other fields are your own',
  ),
  inductions: about(
    Clearable(List(Qualification('site'))),
    'Sites, or objects {"site": "Pier 4", "expires_at": …, …}; their other fields are your own',
  ),
  tier: about(Clearable(Int({ minimum: 1, maximum: 5 })), 'A grade of your own; 1 where nothing is said'),
  availability_notes: about(Clearable(Text()), 'When the person can work, in words'),
};

/** What creates a staff record, alone or as an item of an import. */
export const StaffCreate = NamedObject('StaffCreate', { name: Name, ...profile });

/** Items are checked one by one: see http/staff-import.ts. */
export const StaffImportRequest = NamedObject('StaffImportRequest', {
  staff: Type.Array(OpenElement, { maxItems: 200, description: 'Records as create_staff takes them' }),
});

const StaffImportFault = NamedObject('StaffImportFault', { index: Type.Integer(), ...Fault.properties });

export const StaffImportResult = NamedObject('StaffImportResult', {
  created: Type.Integer(),
  errors: Type.Array(StaffImportFault),
});

const internal = { tag, credential: 'instance', scope: null } as const;
const path = '/internal/v1/instances/{instance_id}/staff';
const PersonParams = params({ instance_id: Uuid, person_id: Uuid });

export const listStaff = operation({
  ...internal,
  id: 'list_staff',
  method: 'GET',
  path,
  summary: 'Find staff of a customer',
  description: 'Every filter given has to match. In the order of names.',
  params: InstanceParams,
  query: query({
    customer_id: Uuid,
    ...StaffFilters,
    induction_site: about(Type.Optional(Label), 'Has an induction for this site that has not expired'),
    cert_type: about(Type.Optional(Label), 'Has a certification of this type that has not expired'),
    tier: Type.Optional(Int()),
    ...StaffPageQuery,
  }),
  responses: { 200: StaffPage },
});

export const createStaff = operation({
  ...internal,
  id: 'create_staff',
  method: 'POST',
  path,
  summary: 'Add a staff record',
  params: InstanceParams,
  query: query({ customer_id: Uuid }),
  body: StaffCreate,
  responses: { 201: StaffRecord },
});

export const listExpiringCerts = operation({
  ...internal,
  id: 'list_expiring_certs',
  method: 'GET',
  path: `${path}/expiring-certs`,
  summary: 'Staff whose certifications expire soon',
  description:
    'Soonest first. Days count in the customer’s time zone; who has left (`terminated`) is not listed.',
  params: InstanceParams,
  query: query({
    customer_id: Uuid,
    within_days: about(Int({ minimum: 1, maximum: 365, default: 42 }), 'Counted from today'),
  }),
  responses: { 200: Type.Array(StaffWithExpiringCerts) },
});

export const importStaff = operation({
  ...internal,
  id: 'import_staff',
  method: 'POST',
  path: `${path}/import`,
  summary: 'Add many staff records',
  description: 'Each item that is valid is created; the faults of the others are listed.',
  params: InstanceParams,
  query: query({ customer_id: Uuid }),
  body: StaffImportRequest,
  responses: { 200: StaffImportResult },
});

export const getStaff = operation({
  ...internal,
  id: 'get_staff',
  method: 'GET',
  path: `${path}/{person_id}`,
  summary: 'A staff record',
  params: PersonParams,
  responses: { 200: StaffRecord },
});

export const updateStaff = operation({
  ...internal,
  id: 'update_staff',
  method: 'PATCH',
  path: `${path}/{person_id}`,
  summary: 'Change a staff record',
  params: PersonParams,
  body: NamedObject('StaffUpdate', {
    name: Type.Optional(Name),
    ...profile,
    status: Type.Optional(Status),
  }),
  responses: { 200: StaffRecord },
});
