import { expect, it } from 'vitest';
import { freeSubnets, rangeOf } from './subnets.ts';

const subnets = (...args: Parameters<typeof freeSubnets>) =>
  [...freeSubnets(...args)].map(({ subnet }) => subnet);

it('a network is divided into subnets of 128 addresses, beginning where the seed says', () => {
  expect([...freeSubnets('10.201.0.0/24', [], 0)]).toEqual([
    { subnet: '10.201.0.0/25', gateway: '10.201.0.1' },
    { subnet: '10.201.0.128/25', gateway: '10.201.0.129' },
  ]);
  expect(subnets('10.201.0.0/24', [], 5)).toEqual(['10.201.0.128/25', '10.201.0.0/25']);
  expect(subnets('10.201.0.0/16', [], 4_294_967_295)).toHaveLength(512);
  expect(subnets('255.255.255.0/24', [], 1)).toEqual(['255.255.255.128/25', '255.255.255.0/25']);
});

it('subnets that overlap with another network are left out, whatever its size', () => {
  const taken = [
    '10.201.0.64/26',
    '10.201.1.0/24',
    '10.201.3.200/32',
    'fd00::/64',
    'nonsense',
    '10.202.0.0/16',
  ];
  expect(subnets('10.201.0.0/22', taken, 0)).toEqual([
    '10.201.0.128/25',
    '10.201.2.0/25',
    '10.201.2.128/25',
    '10.201.3.0/25',
  ]);
  expect(subnets('10.201.0.0/16', ['10.0.0.0/8'], 3)).toEqual([]);
});

it('what is no IPv4 network is none', () => {
  for (const text of ['10.0.0.0', '10.0.0/8', '10.0.0.300/8', '10.0.0.0/33', '::/8', '']) {
    expect(rangeOf(text)).toBeUndefined();
  }
});
