import { hostname as machineName } from 'node:os';
import ipaddr from 'ipaddr.js';

/**
 * True for an address of the public internet. IPv4-mapped IPv6 counts as IPv4. Private, link-local, shared and reserved
 * addresses are not public, nor is any that translates to another: NAT64, 6to4, Teredo, ISATAP and all other spellings of
 * IPv4, which lie outside of the space that IPv6 hands out (2000::/3).
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  if (address.range() !== 'unicast') return false;
  return !(address instanceof ipaddr.IPv6) || isHandedOut(address.parts);
}

/** @param parts the eight groups of an IPv6 address */
function isHandedOut(parts: readonly number[]): boolean {
  const [first = 0, second = 0, , , , isatap] = parts;
  // Documentation (RFC 9637), which the library does not know.
  if (first === 0x3fff && second < 0x1000) return false;
  return first >> 13 === 1 && isatap !== 0x5efe;
}

/** Loopback, by address or by name. */
export const isLoopback = (hostname: string): boolean =>
  isOwnName(hostname) ||
  (ipaddr.isValid(hostname.replace(/^\[|\]$/g, '')) &&
    ipaddr.process(hostname.replace(/^\[|\]$/g, '')).range() === 'loopback');

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
