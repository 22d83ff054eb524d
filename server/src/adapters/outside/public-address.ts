import { hostname as machineName } from 'node:os';
import ipaddr from 'ipaddr.js';

/**
 * True for an address of the public internet. IPv4-mapped IPv6 counts as IPv4. Addresses that translate to others (NAT64,
 * 6to4, Teredo), private, link-local, shared and reserved ones are not public.
 */
export const isPublicAddress = (address: string): boolean =>
  ipaddr.isValid(address) && ipaddr.process(address).range() === 'unicast';

/** The literal IP address of a URL's host, without brackets; undefined for a name. */
export function addressIn(hostname: string): string | undefined {
  const bare = hostname.replace(/^\[|\]$/g, '');
  return ipaddr.isValid(bare) ? bare : undefined;
}

/** True for two spellings of an address; IPv4 written as IPv6 is the IPv4 address. */
export const isSameAddress = (one: string, other: string): boolean =>
  [one, other].every((address) => ipaddr.isValid(address)) &&
  ipaddr.process(one).toNormalizedString() === ipaddr.process(other).toNormalizedString();

const OWN_NAMES = /^(?:(?:.+\.)?localhost|localhost\.localdomain|ip6-localhost|ip6-loopback)$/;

/** True for names that are this machine's on every resolver; the addresses of others are checked when they are called. */
export function isOwnName(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/\.$/, '');
  return OWN_NAMES.test(name) || name === machineName().toLowerCase();
}
