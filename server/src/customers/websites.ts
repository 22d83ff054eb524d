import { domainToASCII } from 'node:url';
import type { Queryable } from '../platform/db/queryable.ts';
import { conflict, invalid } from '../platform/errors.ts';
import { ofCustomer } from './customers.ts';
import { insertWebsite, type WebsiteRow } from './websites.db.ts';

export { deleteWebsite, listWebsites } from './websites.db.ts';

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
/** RFC 1123, section 2.1 */
const HOSTNAME = new RegExp(`^${LABEL}(?:\\.${LABEL})*$`);
const MAX_LENGTH = 253;
/**
 * Of what is typed, before a port goes and letters are written in ASCII, which makes a name shorter never by so much.
 * domainToASCII takes the square of the length: 10,000 Chinese letters kept everybody waiting for 200 ms.
 */
const MAX_TYPED_LENGTH = 4 * MAX_LENGTH;

/**
 * A Host header or what a person typed as the hostname that we keep: lower case, without port and trailing dot,
 * international names in their ASCII form (RFC 5891). Undefined when it is none.
 */
export function normaliseHostname(text: string): string | undefined {
  if (text.length > MAX_TYPED_LENGTH) return undefined;
  const name = text.replace(/:\d{0,5}$/, '').replace(/\.$/, '');
  // domainToASCII would leave out a tab and read %61 as a letter, and 1.1 as an address.
  if (/[^a-z0-9.\-\P{ASCII}]/iu.test(name)) return undefined;
  const hostname = /^\p{ASCII}*$/u.test(name) ? name.toLowerCase() : domainToASCII(name);
  return hostname.length <= MAX_LENGTH && HOSTNAME.test(hostname) ? hostname : undefined;
}

/** A hostname has one owner in the whole service; who that is, is not told (contract, section 9). */
export async function addWebsite(q: Queryable, customer_id: string, text: string): Promise<WebsiteRow> {
  const hostname = normaliseHostname(text);
  if (hostname === undefined) throw invalid(['body', 'hostname'], 'value is not a valid hostname');
  const website = await ofCustomer(q, customer_id, insertWebsite(q, customer_id, hostname));
  if (!website) throw conflict('This hostname is in use already');
  return website;
}
