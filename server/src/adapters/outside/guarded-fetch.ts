import { type LookupAddress, lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { Agent } from 'undici';
import { addressIn, isPublicAddress } from './public-address.ts';

/** The refusal of an address; its message names no more than the URL did. */
export class NotPublic extends Error {
  constructor(host: string) {
    super(`${host} is not a public https address`);
  }
}

export interface GuardOptions {
  /** Hosts without that check, as `localhost` or `10.0.0.5`: they may be private, and speak http. */
  allowedHosts: readonly string[];
  /** Resolves a name to all its addresses; the system's by default. */
  lookup?: Lookup;
}

type Lookup = (
  hostname: string,
  options: { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * Connections to addresses that a tenant chose: https to public addresses alone. They are made to the address that was
 * checked, so a name that resolves differently a moment later gains nothing.
 * @returns what finds the connections for a URL; throws NotPublic, and requests reject with it, also as the `cause`
 */
export async function guardedConnections(options: GuardOptions): Promise<(url: URL) => Agent> {
  // Loaded with the first use, because not every installation reaches outside.
  const undici = await import('undici');
  const lookup = guardedLookup(options.lookup ?? systemLookup);
  const guarded = new undici.Agent({ connect: { lookup } });
  const open = new undici.Agent();
  return (url) => {
    if (isRefused(url, options.allowedHosts)) throw new NotPublic(url.host);
    return isAllowedHost(url, options.allowedHosts) ? open : guarded;
  };
}

/** fetch over such connections; no redirect is followed. */
export async function guardedFetch(options: GuardOptions): Promise<typeof fetch> {
  const { fetch: undiciFetch } = await import('undici');
  const connectionsFor = await guardedConnections(options);
  const call = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const url = new URL(input instanceof Request ? input.url : input);
    const dispatcher = connectionsFor(url);
    const from = input instanceof Request ? { ...requestParts(input), ...init } : init;
    const request = { ...from, redirect: 'manual', dispatcher } as Parameters<typeof undiciFetch>[1];
    return undiciFetch(url, request);
  };
  return call;
}

const isAllowedHost = (url: URL, allowedHosts: readonly string[]) =>
  allowedHosts.includes(url.hostname.toLowerCase());

/** True for what is refused before any name is resolved: other schemes than https, and private addresses. */
export function isRefused(url: URL, allowedHosts: readonly string[]): boolean {
  if (isAllowedHost(url, allowedHosts)) return false;
  const address = addressIn(url.hostname);
  return url.protocol !== 'https:' || (address !== undefined && !isPublicAddress(address));
}

/** A request of the platform's own fetch is none that undici knows. */
const requestParts = ({ method, headers, body, signal }: Request) => ({
  method,
  headers,
  signal,
  ...(body && { body, duplex: 'half' }),
});

/** A name with one private address is refused whole: its other addresses may be a disguise. */
const guardedLookup =
  (lookup: Lookup): LookupFunction =>
  (hostname, { all, family }, callback) => {
    lookup(hostname, { all: true }, (error, addresses) => {
      if (error) return callback(error, '');
      const [first] = addresses;
      const isFine = addresses.every(({ address }) => isIP(address) !== 0 && isPublicAddress(address));
      if (!first || !isFine) return callback(new NotPublic(hostname), '');
      if (all) return callback(null, addresses);
      const { address, family: found } = addresses.find((one) => one.family === family) ?? first;
      callback(null, address, found);
    });
  };
