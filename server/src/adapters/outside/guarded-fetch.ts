import { type LookupAddress, lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { Agent } from 'undici';
import { addressIn, isLoopback, isOwnName, isPublicAddress } from './public-address.ts';

/** The message contains only the URL's host, not the resolved address. */
export class NotPublic extends Error {
  constructor(host: string) {
    super(`${host} is not a public https address`);
  }
}

export interface GuardOptions {
  /** Hosts that may be private and use http, such as `localhost`, `10.0.0.5` or `10.0.0.5:8080`. */
  allowedHosts: readonly string[];
  /** The system's by default. */
  lookup?: Lookup;
}

type Lookup = (
  hostname: string,
  options: { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * Connections to URLs that tenants choose: only https to public addresses. They connect to the very address that was
 * checked, which defeats DNS rebinding.
 * @returns an agent for a URL. It throws NotPublic, and requests reject with NotPublic itself or as the `cause`
 */
export async function guardedConnections(options: GuardOptions): Promise<(url: URL) => Agent> {
  // Loaded on first use, because not every installation needs it.
  const undici = await import('undici');
  const lookup = guardedLookup(options.lookup ?? systemLookup);
  const guarded = new undici.Agent({ connect: { lookup } });
  const open = new undici.Agent();
  return (url) => {
    if (isRefused(url, options.allowedHosts)) throw new NotPublic(url.host);
    return isAllowedHost(url, options.allowedHosts) ? open : guarded;
  };
}

/** Over guardedConnections. Follows no redirect. */
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

const PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/** A host without a port allows the ports of the web, and every port of this machine. */
export function isAllowedHost({ hostname, port, protocol }: URL, allowedHosts: readonly string[]): boolean {
  const used = port || (PORTS[protocol] ?? '');
  if (allowedHosts.includes(`${hostname}:${used}`)) return true;
  return allowedHosts.includes(hostname) && (Object.values(PORTS).includes(used) || isLoopback(hostname));
}

/** Allowed hosts that open every port of this machine to all tenants. */
export const openMachines = (allowedHosts: readonly string[]): string[] => allowedHosts.filter(isLoopback);

/** The check before any name is resolved: the scheme, literal addresses, and names of this machine. */
export function isRefused(url: URL, allowedHosts: readonly string[]): boolean {
  if (isAllowedHost(url, allowedHosts)) return false;
  const address = addressIn(url.hostname);
  if (url.protocol !== 'https:') return true;
  return address === undefined ? isOwnName(url.hostname) : !isPublicAddress(address);
}

/** undici does not accept a Request of Node's own fetch. */
const requestParts = ({ method, headers, body, signal }: Request) => ({
  method,
  headers,
  signal,
  ...(body && { body, duplex: 'half' }),
});

/** Refuses a name with any private address, because its public ones may be a disguise. */
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
