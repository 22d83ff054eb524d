import Type, { type Static, type TSchema } from 'typebox';
import { Email } from '../access/users.contract.ts';
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
} from '../platform/contract/shapes.ts';

const STAFF_ROLES = ['employee', 'contractor', 'supplier', 'customer_contact'] as const;
/** Contract, section 6. */
const STAFF_STATUSES = ['active', 'inactive', 'on_leave', 'suspended', 'terminated'] as const;
export type StaffStatus = (typeof STAFF_STATUSES)[number];

const Role = named('StaffRole', Literals(STAFF_ROLES));
export const Status = named('StaffStatus', Literals(STAFF_STATUSES));

/** One skill, type of certification or site of induction. */
export const Label = Text(200, 1);

/**
 * A string, or an object that names itself by `label` (or `name`) and may expire; its other fields are the client's own.
 * One schema rather than a union reports a fault once.
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

interface StaffField {
  /** The field of a record. */
  stored: TSchema;
  /** The field of a request. */
  asked: TSchema;
  column: 'text' | 'integer' | 'jsonb';
  /** The value of a field that a new record leaves out, and of one that null clears. */
  initial?: unknown;
}

/** The fields of a staff record that a request sets, in the order of the record. All other lists derive from this one. */
export const STAFF_FIELDS = {
  name: { stored: Type.String(), asked: Name, column: 'text' },
  email: { stored: Nullable(Type.String()), asked: Clearable(Email), column: 'text', initial: null },
  phone: { stored: Nullable(Type.String()), asked: Clearable(Text(50)), column: 'text', initial: null },
  role: { stored: Role, asked: Clearable(Role), column: 'text', initial: 'employee' },
  skills: {
    stored: Type.Array(Type.String()),
    asked: about(Clearable(List(Label)), 'What the person can do, as "forklift"; found without case'),
    column: 'jsonb',
    initial: [],
  },
  certifications: {
    stored: Type.Array(OpenElement),
    asked: about(
      Clearable(List(Qualification('type'))),
      'Types, or objects {"type": "first_aid", "expires_at": "2027-03-31", …}; their other fields are your own',
    ),
    column: 'jsonb',
    initial: [],
  },
  inductions: {
    stored: Type.Array(OpenElement),
    asked: about(
      Clearable(List(Qualification('site'))),
      'Sites, or objects {"site": "Pier 4", "expires_at": …, …}; their other fields are your own',
    ),
    column: 'jsonb',
    initial: [],
  },
  tier: {
    stored: Type.Integer(),
    asked: about(Clearable(Int({ minimum: 1, maximum: 5 })), 'A grade of your own; 1 where nothing is said'),
    column: 'integer',
    initial: 1,
  },
  /** A new record is active: only a change sets the status. */
  status: { stored: Status, asked: Status, column: 'text' },
  availability_notes: {
    stored: Nullable(Type.String()),
    asked: about(Clearable(Text()), 'When the person can work, in words'),
    column: 'text',
    initial: null,
  },
  external_id: {
    stored: Nullable(Type.String()),
    asked: about(
      Clearable(Text(200, 1)),
      'What your own system calls the person; unique within the customer',
    ),
    column: 'text',
    initial: null,
  },
} as const satisfies Record<string, StaffField>;

type Fields = typeof STAFF_FIELDS;
type FieldName = keyof Fields;
/** A field that a request may leave out or clear. */
type OptionalFieldName = {
  [Key in FieldName]: Fields[Key] extends { initial: unknown } ? Key : never;
}[FieldName];

export type StaffValues = { [Key in FieldName]: Static<Fields[Key]['stored']> };
export type NewStaff = Omit<StaffValues, 'status'>;
/** Absent fields stay as they are. */
export type StaffChanges = Partial<StaffValues>;

export const STAFF_FIELD_NAMES = Object.keys(STAFF_FIELDS) as FieldName[];
export const NEW_STAFF_FIELD_NAMES = STAFF_FIELD_NAMES.filter((name) => name !== 'status');

const entries: [string, StaffField][] = Object.entries(STAFF_FIELDS);

export const storedShapes = Object.fromEntries(entries.map(([name, { stored }]) => [name, stored])) as {
  [Key in FieldName]: Fields[Key]['stored'];
};
export const optionalShapes = Object.fromEntries(
  entries.filter(([, field]) => 'initial' in field).map(([name, { asked }]) => [name, asked]),
) as { [Key in OptionalFieldName]: Fields[Key]['asked'] };
export const initialValues = Object.fromEntries(
  entries.filter(([, field]) => 'initial' in field).map(([name, { initial }]) => [name, initial]),
) as Pick<StaffValues, OptionalFieldName>;
