/** Addresses of one network: two for the network itself, one for the gateway, 125 for containers. */
const PREFIX = 25;
const SIZE = 2 ** (32 - PREFIX);

export interface Subnet {
  subnet: string;
  gateway: string;
}

interface Range {
  first: number;
  /** Behind the last address. */
  end: number;
}

/** undefined: not an IPv4 network, or too small for a tenant's. */
export function rangeOf(cidr: string): Range | undefined {
  const [, address = '', length = ''] = /^(\d+\.\d+\.\d+\.\d+)\/(\d{1,2})$/.exec(cidr) ?? [];
  const numbers = address.split('.').map(Number);
  if (numbers.length !== 4 || numbers.some((part) => part > 255) || Number(length) > 32) return undefined;
  const whole = numbers.reduce((sum, part) => sum * 256 + part, 0);
  const size = 2 ** (32 - Number(length));
  const first = whole - (whole % size);
  return { first, end: first + size };
}

/**
 * Subnets of the range that overlap with none of `taken`, beginning at a place that `seed` chooses: so two copies or
 * installations that share a daemon seldom try the same one.
 */
export function* freeSubnets(cidr: string, taken: readonly string[], seed: number): Generator<Subnet> {
  const range = rangeOf(cidr);
  if (!range) return;
  const used = taken.flatMap((one) => rangeOf(one) ?? []);
  const count = Math.floor((range.end - range.first) / SIZE);
  for (let step = 0; step < count; step++) {
    const first = range.first + ((seed + step) % count) * SIZE;
    if (used.some((other) => first < other.end && other.first < first + SIZE)) continue;
    yield { subnet: `${textOf(first)}/${PREFIX}`, gateway: textOf(first + 1) };
  }
}

const textOf = (address: number) =>
  [24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256).join('.');
