import Type, { type Static, type TSchema } from 'typebox';
import { Email } from '../access/users.contract.ts';
import { BOUNDS } from '../catalogue/bounds.contract.ts';
import { named } from '../platform/contract/named.ts';
import {
  about,
  Clearable,
  Int,
  Literals,
  Name,
  Nullable,
  OpenElement,
  Text,
  within,
} from '../platform/contract/shapes.ts';

const STAFF_ROLES = ['employee', 'contractor', 'supplier', 'customer_contact'] as const;
/** Contract, section 6. */
const STAFF_STATUSES = ['active', 'inactive', 'on_leave', 'suspended', 'terminated'] as const;
export type StaffStatus = (typeof STAFF_STATUSES)[number];

const Role = named('StaffRole', Literals(STAFF_ROLES));
export const Status = named('StaffStatus', Literals(STAFF_STATUSES));

export const Label = Text(200, 1);

/**
 * A string, which may be `name:end`, or an object with `label` or `name`, an optional end and the client's own fields. A
 * union would report a fault twice.
 */
const Qualification = (label: 'type' | 'site') =>
  Type.Unsafe<string | Record<string, unknown>>({
    type: ['string', 'object'],
    minLength: 1,
    maxLength: 200,
    format: 'named-end',
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
  within(BOUNDS.staff.list_bytes, Type.Array(element, { maxItems: 1000 }));

interface StaffField {
  stored: TSchema;
  requested: TSchema;
  column: 'text' | 'integer' | 'jsonb';
  /** Replaces an absent value in a new record, and null in a change. */
  initial?: unknown;
}

/** All other lists of staff fields derive from this one. */
export const STAFF_FIELDS = {
  name: { stored: Type.String(), requested: Name, column: 'text' },
  email: { stored: Nullable(Type.String()), requested: Clearable(Email), column: 'text', initial: null },
  phone: { stored: Nullable(Type.String()), requested: Clearable(Text(50)), column: 'text', initial: null },
  role: { stored: Role, requested: Clearable(Role), column: 'text', initial: 'employee' },
  skills: {
    stored: Type.Array(Type.String()),
    requested: about(Clearable(List(Label)), 'What the person can do, as "forklift"; found without case'),
    column: 'jsonb',
    initial: [],
  },
  certifications: {
    stored: Type.Array(OpenElement),
    requested: about(
      Clearable(List(Qualification('type'))),
      'Types, also with their end as "first_aid:2027-03-31", or objects {"type": "first_aid", "expires_at": "2027-03-31", …}, whose other fields are your own',
    ),
    column: 'jsonb',
    initial: [],
  },
  inductions: {
    stored: Type.Array(OpenElement),
    requested: about(
      Clearable(List(Qualification('site'))),
      'Sites, also with their end as "Pier 4:2027-03-31", or objects {"site": "Pier 4", "expires_at": …, …}, whose other fields are your own',
    ),
    column: 'jsonb',
    initial: [],
  },
  tier: {
    stored: Type.Integer(),
    requested: about(
      Clearable(Int({ minimum: 1, maximum: 5 })),
      'A grade of your own; 1 where nothing is said',
    ),
    column: 'integer',
    initial: 1,
  },
  /** Only a change sets the status: a new record is active. */
  status: { stored: Status, requested: Status, column: 'text' },
  availability_notes: {
    stored: Nullable(Type.String()),
    requested: about(Clearable(Text()), 'When the person can work, in words'),
    column: 'text',
    initial: null,
  },
  external_id: {
    stored: Nullable(Type.String()),
    requested: about(
      Clearable(Text(200, 1)),
      'What your own system calls the person; unique within the customer',
    ),
    column: 'text',
    initial: null,
  },
} as const satisfies Record<string, StaffField>;

type Fields = typeof STAFF_FIELDS;
type FieldName = keyof Fields;
type OptionalFieldName = {
  [Key in FieldName]: Fields[Key] extends { initial: unknown } ? Key : never;
}[FieldName];

export type StaffValues = { [Key in FieldName]: Static<Fields[Key]['stored']> };
export type NewStaff = Omit<StaffValues, 'status'>;
/** Absent fields stay. */
export type StaffChanges = Partial<StaffValues>;

export const STAFF_FIELD_NAMES = Object.keys(STAFF_FIELDS) as FieldName[];
export const NEW_STAFF_FIELD_NAMES = STAFF_FIELD_NAMES.filter((name) => name !== 'status');

const entries: [string, StaffField][] = Object.entries(STAFF_FIELDS);

export const storedShapes = Object.fromEntries(entries.map(([name, { stored }]) => [name, stored])) as {
  [Key in FieldName]: Fields[Key]['stored'];
};
export const optionalShapes = Object.fromEntries(
  entries.filter(([, field]) => 'initial' in field).map(([name, { requested }]) => [name, requested]),
) as { [Key in OptionalFieldName]: Fields[Key]['requested'] };
export const initialValues = Object.fromEntries(
  entries.filter(([, field]) => 'initial' in field).map(([name, { initial }]) => [name, initial]),
) as Pick<StaffValues, OptionalFieldName>;
