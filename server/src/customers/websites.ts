import { domainToASCII } from 'node:url';
import type { Queryable } from '../platform/db/queryable.ts';
import { conflict, invalid } from '../platform/errors.ts';
import { customerExists } from './customers.db.ts';
import { insertWebsite, type WebsiteRow } from './websites.db.ts';

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
/** RFC 1123, section 2.1 */
const HOSTNAME = new RegExp(`^${LABEL}(?:\\.${LABEL})*$`);
const MAX_LENGTH = 253;
/** Limit before the port is removed and letters become ASCII: domainToASCII takes time with the square of the length. */
const MAX_TYPED_LENGTH = 4 * MAX_LENGTH;

/**
 * Turns a Host header or typed text into the stored form: lower case, without port and trailing dot, international
 * names in ASCII (RFC 5891). undefined for text that is no hostname.
 */
export function normaliseHostname(text: string): string | undefined {
  if (text.length > MAX_TYPED_LENGTH) return undefined;
  const name = text.replace(/:\d{0,5}$/, '').replace(/\.$/, '');
  // domainToASCII would drop a tab, read %61 as a letter and 1.1 as an address.
  if (/[^a-z0-9.\-\P{ASCII}]/iu.test(name)) return undefined;
  const hostname = /^\p{ASCII}*$/u.test(name) ? name.toLowerCase() : domainToASCII(name);
  return hostname.length <= MAX_LENGTH && HOSTNAME.test(hostname) ? hostname : undefined;
}

/** A hostname has one owner within its tenant (contract, section 17): other tenants cannot claim it. */
export async function addWebsite(q: Queryable, customer_id: string, text: string): Promise<WebsiteRow> {
  const hostname = normaliseHostname(text);
  if (hostname === undefined) throw invalid(['body', 'hostname'], 'value is not a valid hostname');
  const { website } = await q.run({
    customer: customerExists(customer_id),
    website: insertWebsite(customer_id, hostname),
  });
  if (!website) throw conflict('This hostname is in use already');
  return website;
}
