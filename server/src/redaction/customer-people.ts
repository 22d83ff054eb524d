import type { Queryable } from '../platform/db/queryable.ts';
import { LEAST_UUID } from '../platform/db/rows.ts';
import {
  type KnownIdentity,
  listIdentitiesBefore,
  listServedCustomers,
  listStaffContacts,
  type StaffContact,
} from './customer-people.db.ts';
import type { KnownValue } from './known-forms.ts';
import type { Mentions } from './mentions.ts';

/** Bounds memory and the time without a pause. */
const PAGE = 500;
const NEWEST = { created_at: 'infinity', id: LEAST_UUID };

/** Pages by key, so concurrent changes skip nobody. */
export async function findPeople(
  q: Queryable,
  instance_id: string,
  mentions: Mentions,
): Promise<KnownValue[]> {
  // All staff of a company may share an address.
  const found = new Map<string, KnownValue>();
  for (const { customer_id } of await q.run(listServedCustomers(instance_id))) {
    for await (const values of pageKnownValues(q, customer_id)) {
      for (const value of values)
        if (mentions.mayMention(value)) found.set(`${value.kind} ${value.text}`, value);
    }
  }
  return [...found.values()];
}

async function* pageKnownValues(q: Queryable, customer_id: string): AsyncGenerator<KnownValue[]> {
  const identities = (last: Pick<KnownIdentity, 'created_at' | 'id'> = NEWEST) =>
    q.run(listIdentitiesBefore(customer_id, last, PAGE));
  for await (const page of pages(identities)) yield page.flatMap(identityValues);
  const staff = (last = { id: LEAST_UUID }) => q.run(listStaffContacts(customer_id, last.id, PAGE));
  for await (const page of pages(staff)) yield page.flatMap(staffValues);
}

async function* pages<Row>(read: (last?: Row) => Promise<Row[]>): AsyncGenerator<Row[]> {
  let last: Row | undefined;
  do {
    const page = await read(last);
    yield page;
    last = page.length < PAGE ? undefined : page.at(-1);
  } while (last);
}

const identityValues = ({ id, external_id }: KnownIdentity): KnownValue[] => [
  { kind: 'customer_id', text: id },
  address(external_id),
];

function staffValues({ phone, email, channel_addresses }: StaffContact): KnownValue[] {
  const values = (channel_addresses ?? []).map(address);
  if (phone !== null) values.push({ kind: 'phone_number', text: phone });
  if (email !== null) values.push({ kind: 'email', text: email });
  return values;
}

/** Channels address people by number or by an id of their own. */
const address = (text: string): KnownValue => ({
  kind: /^[0-9+ ()-]+$/.test(text) ? 'phone_number' : 'customer_id',
  text,
});
