import Type from 'typebox';
import { operation } from './operation.ts';
import {
  Clearable,
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
} from './shapes.ts';
import { Email } from './users.ts';

const tag = 'Staff';

export const STAFF_ROLES = ['employee', 'contractor', 'supplier', 'customer_contact'] as const;
export type StaffRole = (typeof STAFF_ROLES)[number];

/** Contract, section 6. */
export const STAFF_STATUSES = ['active', 'inactive', 'on_leave', 'suspended', 'terminated'] as const;
export type StaffStatus = (typeof STAFF_STATUSES)[number];

/** Staff lists have their own bounds (specification, section 8). */
export const StaffPageQuery = {
  page: Int({ minimum: 1, maximum: 1_000_000, default: 1 }),
  per_page: Int({ minimum: 1, maximum: 200, default: 50 }),
};

export const StaffFilters = {
  skills: Type.Optional(
    Type.String({ maxLength: 2000, description: 'Separated by commas; all of them, without case' }),
  ),
  status: Type.Optional(Literals(STAFF_STATUSES)),
};

export const StaffRecord = Type.Object({
  id: Uuid,
  tenant_id: Uuid,
  customer_id: Uuid,
  name: Type.String(),
  email: Nullable(Type.String()),
  phone: Nullable(Type.String()),
  role: Literals(STAFF_ROLES),
  skills: Type.Array(Type.String()),
  certifications: Type.Array(OpenElement),
  inductions: Type.Array(OpenElement),
  tier: Type.Integer(),
  status: Literals(STAFF_STATUSES),
  availability_notes: Nullable(Type.String()),
  created_at: Timestamp,
  updated_at: Timestamp,
});

export const StaffPage = Type.Object({
  page: Type.Integer(),
  per_page: Type.Integer(),
  total: Type.Integer(),
  staff: Type.Array(StaffRecord),
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
  role: Clearable(Literals(STAFF_ROLES)),
  skills: Clearable(List(Label)),
  certifications: Clearable(List(Qualification('type'))),
  inductions: Clearable(List(Qualification('site'))),
  tier: Clearable(Int({ minimum: 1, maximum: 5 })),
  availability_notes: Clearable(Text()),
};

/** What creates a staff record, alone or as an item of an import. */
export const NewStaff = Type.Object({ name: Name, ...profile });

/** Items are checked one by one: see staffItemFaults. */
export const StaffImport = Type.Object({ staff: Type.Array(OpenElement, { maxItems: 200 }) });

export const ImportResult = Type.Object({
  created: Type.Integer(),
  errors: Type.Array(
    Type.Object({
      index: Type.Integer(),
      loc: Type.Array(Type.String()),
      msg: Type.String(),
      type: Type.String(),
    }),
  ),
});

const internal = { tag, credential: 'instance', scope: null } as const;
const path = '/internal/v1/instances/{instance_id}/staff';
const InstanceParams = params({ instance_id: Uuid });
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
    induction_site: Type.Optional(Label),
    cert_type: Type.Optional(Label),
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
  body: NewStaff,
  responses: { 201: StaffRecord },
});

export const listExpiringCerts = operation({
  ...internal,
  id: 'list_expiring_certs',
  method: 'GET',
  path: `${path}/expiring-certs`,
  summary: 'Staff whose certifications expire soon',
  description: 'Soonest first. Days count in the customer’s time zone; who has left is not listed.',
  params: InstanceParams,
  query: query({ customer_id: Uuid, within_days: Int({ minimum: 1, maximum: 365, default: 42 }) }),
  responses: {
    200: Type.Array(
      Type.Object({
        ...StaffRecord.properties,
        expiring_certifications: Type.Array(
          Type.Unsafe<Record<string, unknown> & { days_left: number }>({
            type: 'object',
            properties: { days_left: Type.Integer() },
            required: ['days_left'],
            additionalProperties: true,
          }),
        ),
      }),
    ),
  },
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
  body: StaffImport,
  responses: { 200: ImportResult },
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
  body: Type.Object({
    name: Type.Optional(Name),
    ...profile,
    status: Type.Optional(Literals(STAFF_STATUSES)),
  }),
  responses: { 200: StaffRecord },
});

export const staffOperations = [
  listStaff,
  createStaff,
  listExpiringCerts,
  importStaff,
  getStaff,
  updateStaff,
];
