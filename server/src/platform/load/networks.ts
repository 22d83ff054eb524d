/**
 * Requests are counted by IPv4 address, or by the /64 of an IPv6 address, because a subscriber has at least a /64 (RFC
 * 6177).
 */
export function networkOf(address: string): string {
  const [, mapped] = /^::ffff:([\d.]+)$/i.exec(address) ?? [];
  if (mapped !== undefined) return mapped;
  if (!address.includes(':')) return address;
  const [left = [], right = []] = address.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0');
  return `${[...left, ...zeros, ...right].slice(0, 4).join(':')}::/64`;
}
