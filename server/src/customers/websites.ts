import { domainToASCII } from 'node:url';
import type { Queryable } from '../platform/db/queryable.ts';
import { conflict, invalid } from '../platform/errors.ts';
import { customerExists, lockCustomer } from './customers.db.ts';
import { MAX_LENGTH, MAX_TYPED_LENGTH } from './websites.contract.ts';
import { hasRoomForWebsite, insertWebsite, type WebsiteRow } from './websites.db.ts';

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
/** RFC 1123, section 2.1 */
const HOSTNAME = new RegExp(`^${LABEL}(?:\\.${LABEL})*$`);

/** Lower case, without port and trailing dot, in ASCII (RFC 5891); undefined when invalid. */
export function normaliseHostname(text: string): string | undefined {
  if (text.length > MAX_TYPED_LENGTH) return undefined;
  const name = text.replace(/:\d{0,5}$/, '').replace(/\.$/, '');
  // domainToASCII would drop a tab, read %61 as a letter and 1.1 as an address.
  if (/[^a-z0-9.\-\P{ASCII}]/iu.test(name)) return undefined;
  const hostname = /^\p{ASCII}*$/u.test(name) ? name.toLowerCase() : domainToASCII(name);
  return hostname.length <= MAX_LENGTH && HOSTNAME.test(hostname) ? hostname : undefined;
}

/** Unique within the tenant (contract, section 17), so no tenant can claim a name against others. */
export async function addWebsite(
  q: Queryable,
  customer_id: string,
  text: string,
  isNamed: boolean,
): Promise<WebsiteRow> {
  const hostname = normaliseHostname(text);
  if (hostname === undefined) throw invalid(['body', 'hostname'], 'value is not a valid hostname');
  const { website } = await q.run({
    lock: lockCustomer(customer_id),
    // After the lock: the customer may have been erased meanwhile.
    customer: customerExists(customer_id),
    room: hasRoomForWebsite(customer_id),
    website: insertWebsite(customer_id, hostname, isNamed),
  });
  if (!website) throw conflict('This hostname is in use already');
  return website;
}
