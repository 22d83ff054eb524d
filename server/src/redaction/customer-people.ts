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

/** A customer may have any number of people. A page is held in memory and looked at without a pause. */
const PAGE = 500;
const NEWEST = { created_at: 'infinity', id: LEAST_UUID };

/**
 * The addresses and numbers of the staff and identities of an instance's customers, as far as they may be mentioned.
 * Pages by key, so that a person who is there all the while is never skipped.
 */
export async function findPeople(
  q: Queryable,
  instance_id: string,
  mentions: Mentions,
): Promise<KnownValue[]> {
  // Each value once, because all of a company's staff may share one address.
  const found = new Map<string, KnownValue>();
  for (const { customer_id } of await q.run(listServedCustomers(instance_id))) {
    for await (const values of peopleOf(q, customer_id)) {
      for (const value of values)
        if (mentions.mayHold(value)) found.set(`${value.kind} ${value.text}`, value);
    }
  }
  return [...found.values()];
}

async function* peopleOf(q: Queryable, customer_id: string): AsyncGenerator<KnownValue[]> {
  const identities = (last: Pick<KnownIdentity, 'created_at' | 'id'> = NEWEST) =>
    q.run(listIdentitiesBefore(customer_id, last, PAGE));
  for await (const page of pages(identities)) yield page.flatMap(identityValues);
  const staff = (last = { id: LEAST_UUID }) => q.run(listStaffContacts(customer_id, last.id, PAGE));
  for await (const page of pages(staff)) yield page.flatMap(staffValues);
}

/** @param read the rows after the last one read */
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

/** A channel addresses people by a number, or by an id of its own. */
const address = (text: string): KnownValue => ({
  kind: /^[0-9+ ()-]+$/.test(text) ? 'phone_number' : 'customer_id',
  text,
});
