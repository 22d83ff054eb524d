import type { Static } from 'typebox';
import { limitRefusal } from '../access/tenant-limits.db.ts';
import { customerExists, lockCustomer } from '../customers/customers.db.ts';
import { customerIsServed } from '../customers/served-customers.db.ts';
import { readNamedEnd } from '../platform/contract/named-ends.ts';
import { isUniqueViolation } from '../platform/db/constraint-errors.ts';
import type { Queryable } from '../platform/db/queryable.ts';
import type { Query } from '../platform/db/sql.ts';
import { conflict, found } from '../platform/errors.ts';
import type { StaffCreate, StaffUpdate } from './staff.contract.ts';
import {
  type ImportedStaff,
  importStaff,
  insertStaff,
  type NamedStaffRow,
  type PersonAt,
  updateStaff,
} from './staff.db.ts';
import {
  initialValues,
  type NewStaff,
  STAFF_FIELD_NAMES,
  type StaffChanges,
} from './staff-fields.contract.ts';

/** Absent and null fields get initial values. */
export type StaffRequest = Static<typeof StaffCreate>;
/** null sets a field to its initial value. */
type StaffChangeRequest = Static<typeof StaffUpdate>;

const valuesOf = (request: StaffRequest | StaffChangeRequest): StaffChanges => {
  const given: Record<string, unknown> = request;
  const initial: Record<string, unknown> = initialValues;
  const set = STAFF_FIELD_NAMES.filter((name) => given[name] !== undefined);
  const valueOf = (name: (typeof set)[number]) =>
    name === 'certifications' || name === 'inductions'
      ? qualificationsOf(given[name], name === 'certifications' ? 'type' : 'site')
      : given[name];
  return Object.fromEntries(set.map((name) => [name, valueOf(name) ?? initial[name]]));
};

/** Texts with an end become objects; all others stay as they came. */
const qualificationsOf = (given: unknown, label: 'type' | 'site'): unknown =>
  Array.isArray(given)
    ? given.map((one: unknown) => (typeof one === 'string' ? withEnd(one, label) : one))
    : given;

function withEnd(text: string, label: 'type' | 'site'): unknown {
  const { name, end = null } = readNamedEnd(text) ?? {};
  return end === null ? text : { [label]: name, expires_at: end };
}

const newStaff = (request: StaffRequest): NewStaff => {
  const { status: _, ...values } = { ...initialValues, name: request.name, ...valuesOf(request) };
  return values;
};

async function refuseDuplicateExternalId<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (!isUniqueViolation(error, 'staff_external_id')) throw error;
    throw conflict('Another person of the customer has this external_id');
  }
}

export interface CustomerPlace {
  customer_id: string;
  instance_id?: string;
}

/** Raises 404, which stops later statements. */
const customerIsAt = ({ customer_id, instance_id }: CustomerPlace): Query<unknown> =>
  instance_id === undefined ? customerExists(customer_id) : customerIsServed(instance_id, customer_id);

export async function addStaff(
  q: Queryable,
  place: CustomerPlace,
  request: StaffRequest,
  isNamed: boolean,
): Promise<NamedStaffRow> {
  const insert = insertStaff(place.customer_id, newStaff(request), isNamed);
  const { row } = await refuseDuplicateExternalId(q.run({ customer: customerIsAt(place), row: insert }));
  return found('Customer', row);
}

export async function changeStaff(
  q: Queryable,
  person: PersonAt,
  request: StaffChangeRequest,
  isNamed: boolean,
): Promise<NamedStaffRow> {
  const update = updateStaff(person, valuesOf(request), isNamed);
  const changed =
    'customer_id' in person
      ? q.run({ customer: customerExists(person.customer_id), row: update }).then(({ row }) => row)
      : q.run(update);
  return found('Staff member', await refuseDuplicateExternalId(changed));
}

/** An existing record keeps its status and the fields that the item leaves out. */
const toImportedStaff = (request: StaffRequest): ImportedStaff => {
  const { status: _, ...changes } = valuesOf(request);
  return { record: newStaff(request), changes };
};

/** @returns also the requests beyond the tenant's limit, and the error message for them */
export async function importAll<Request extends StaffRequest>(
  q: Queryable,
  place: CustomerPlace,
  requests: readonly Request[],
) {
  const statement = importStaff(place.customer_id, requests.map(toImportedStaff));
  const { rows } = await q.run({
    customer: customerIsAt(place),
    lock: lockCustomer(place.customer_id),
    rows: statement,
  });
  const created = rows.filter(({ is_new }) => is_new).length;
  const refused = findRefused(requests, rows);
  const refusal = refused.length > 0 ? await q.run(limitRefusal('staff')) : '';
  return { counts: { created, updated: rows.length - created }, refused, refusal };
}

/** Rows without an external_id belong to the first such requests. */
function findRefused<Request extends StaffRequest>(
  requests: readonly Request[],
  rows: readonly { external_id: string | null }[],
): Request[] {
  const named = new Set(rows.map(({ external_id }) => external_id));
  let unnamed = rows.filter(({ external_id }) => external_id === null).length;
  return requests.filter(({ external_id }) => (external_id ? !named.has(external_id) : unnamed-- <= 0));
}
