import { BlockList, isIP } from 'node:net';

/** Names in a server's certificate. */
export interface ServerNames {
  hostnames: string[];
  ips: string[];
}

const LABEL = '[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?';
const HOSTNAME = new RegExp(`^(\\*\\.)?(${LABEL}\\.)*${LABEL}$`);
const WILDCARDS = ['0.0.0.0', '::'];

const itemsOf = (list: string) => (list.trim() === '' ? [] : list.split(',').map((item) => item.trim()));

/**
 * Names for a server's certificate: a comma list, loopback, the listening host and the host of its public URL.
 * @returns undefined when an item is neither a DNS name nor an IP address
 */
export function toServerNames(list: string, host: string, url: string | undefined): ServerNames | undefined {
  const more = [host.replace(/%.*/, ''), url && new URL(url).hostname.replace(/^\[|\]$/g, '')];
  const given = itemsOf(list.toLowerCase());
  if (!given.every(isName)) return undefined;
  const known = more.filter((name) => name !== undefined && isName(name.toLowerCase())) as string[];
  const names = new Set([
    'localhost',
    '127.0.0.1',
    '::1',
    ...known.map((name) => name.toLowerCase()),
    ...given,
  ]);
  return {
    hostnames: [...names].filter((name) => isIP(name) === 0),
    ips: [...names].filter((name) => isIP(name) !== 0 && !WILDCARDS.includes(name)),
  };
}

/** Names that end in a number are addresses (WHATWG URL), so 10.0.0.256 is neither. */
const isName = (text: string) =>
  isIP(text) === 0 ? text.length <= 253 && HOSTNAME.test(text) && !/(^|\.)\d+$/.test(text) : !hasZone(text);

/** Parses a comma list of IP addresses and CIDR ranges; undefined for other items. */
export function toBlockList(list: string): BlockList | undefined {
  const blocks = new BlockList();
  for (const item of itemsOf(list)) {
    const [, address = '', prefix] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(item) ?? [];
    const version = isIP(address);
    const bits = version === 6 ? 128 : 32;
    if (version === 0 || hasZone(address) || Number(prefix ?? 0) > bits) return undefined;
    blocks.addSubnet(address, Number(prefix ?? bits), version === 6 ? 'ipv6' : 'ipv4');
  }
  return blocks;
}

/** As in fe80::1%eth0. */
const hasZone = (address: string) => address.includes('%');

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8);
loopback.addAddress('::1', 'ipv6');
// Where one listens at every address.
loopback.addAddress('0.0.0.0');
loopback.addAddress('::', 'ipv6');

/** True for a URL's host with which whoever calls it calls itself. */
export function isLoopbackOrAny(hostname: string): boolean {
  const bare = hostname.replace(/^\[|\]$/g, '');
  if (isIP(bare) === 0) return /(^|\.)localhost\.?$/i.test(bare);
  return loopback.check(bare, isIP(bare) === 6 ? 'ipv6' : 'ipv4');
}
