/**
 * What requests that come from an address are counted by: the address or, of version 6, its /64, for one subscriber has no
 * less (RFC 6177) and could come from another address each time. One of version 4 is the same in version 6's form.
 */
export function networkOf(address: string): string {
  const [, mapped] = /^::ffff:([\d.]+)$/i.exec(address) ?? [];
  if (mapped !== undefined) return mapped;
  if (!address.includes(':')) return address;
  const [left = [], right = []] = address.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0');
  return `${[...left, ...zeros, ...right].slice(0, 4).join(':')}::/64`;
}
