import { listServedCountries } from '../customers/served-customers.db.ts';
import type { Queryable } from '../platform/db/queryable.ts';
import { matchesOf, needsCountry } from './phone-numbers.ts';

/** Everything that an address may be found by among the customers of an instance, the given spelling first. */
export async function matchesFor(
  q: Queryable,
  instance_id: string,
  channel: string,
  address: string,
): Promise<string[]> {
  const countries = needsCountry(channel, address) ? await q.run(listServedCountries(instance_id)) : [];
  return matchesOf(channel, address, countries);
}
