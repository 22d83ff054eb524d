import type { IncomingHttpHeaders } from 'node:http';
import { forbidden } from '../platform/errors.ts';

const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/**
 * 403 unless a page of this service asks. Browsers say so by Sec-Fetch-Site; over plain HTTP to a name they send an
 * Origin alone (Fetch Metadata needs a trustworthy address), which then has to be the address that was asked.
 */
export function requireSameOrigin(headers: IncomingHttpHeaders): void {
  const site = headers['sec-fetch-site'];
  if (site === 'same-origin' || (site === undefined && isOwnOrigin(headers))) return;
  throw forbidden('Only pages of this service may sign in by cookie');
}

function isOwnOrigin({ origin, host }: IncomingHttpHeaders): boolean {
  if (origin === undefined || host === undefined || !URL.canParse(origin)) return false;
  const { protocol, hostname, port } = new URL(origin);
  const standard = DEFAULT_PORTS[protocol];
  if (standard === undefined || !URL.canParse(`${protocol}//${host}`)) return false;
  const asked = new URL(`${protocol}//${host}`);
  return asked.hostname === hostname && (asked.port || standard) === (port || standard);
}
