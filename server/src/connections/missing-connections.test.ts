import { describe, expect, it } from 'vitest';
import { growthOf, LESS_THAN_QUADRATIC } from '../../test/support/growth.ts';
import type { ConnectionState } from './connections.db.ts';
import { findMissingConnections } from './missing-connections.ts';

function connection(state: Partial<ConnectionState> = {}): ConnectionState {
  return { provider: 'gmail', name: 'sales', status: 'active', ...state };
}
const LIVE = connection();
const EXPIRED = connection({ status: 'expired' });
const REVOKED = connection({ status: 'revoked' });

function reasons(requirements: unknown[], connections: ConnectionState[]) {
  return findMissingConnections(requirements, connections).map(({ reason }) => reason);
}

const findMany = (count: number) => {
  const requirements = Array.from({ length: count }, (_, n) => ({ provider: 'gmail', name: `box ${n}` }));
  const connections = Array.from({ length: count / 2 }, (_, n) =>
    connection({ name: `box ${2 * n}`, status: 'revoked' }),
  );
  const found = reasons(requirements, connections);
  expect([found[0], found[1], found.length]).toEqual(['revoked', 'missing', count]);
};

describe('findMissingConnections', () => {
  it.each([
    ['no connection', [], ['missing']],
    ['another provider', [connection({ provider: 'slack' })], ['missing']],
    ['a live connection', [LIVE], []],
    ['a live connection behind dead ones', [REVOKED, EXPIRED, LIVE], []],
    ['an expired connection', [EXPIRED], ['expired']],
    ['an expired and a revoked connection', [REVOKED, EXPIRED], ['expired']],
    ['a revoked connection', [REVOKED], ['revoked']],
  ])('with %s', (_, connections, expected) => {
    expect(reasons(['gmail'], connections)).toEqual(expected);
  });

  it('matches the name where the requirement has one', () => {
    const named = { provider: 'gmail', name: 'support' };
    expect(findMissingConnections([named], [LIVE])).toEqual([{ ...named, reason: 'missing' }]);
    expect(findMissingConnections([named], [connection({ name: 'support' })])).toEqual([]);
    expect(findMissingConnections([named], [connection({ name: null })])).toHaveLength(1);
    expect(findMissingConnections([{ name: 'gmail' }], [connection({ name: null })])).toEqual([]);
  });

  it('ignores optional requirements and those without a provider', () => {
    expect(reasons([{ provider: 'gmail', optional: true }, { optional: false }, 7], [])).toEqual([]);
    expect(reasons([{ provider: 'gmail', optional: true }, 'gmail'], [])).toEqual(['missing']);
  });

  it('lists each missing connection once, in order', () => {
    const requirements = [
      'slack',
      'gmail',
      { provider: 'gmail' },
      { provider: 'gmail', name: 'ops' },
      'slack',
    ];
    expect(findMissingConnections(requirements, [REVOKED])).toEqual([
      { provider: 'slack', name: null, reason: 'missing' },
      { provider: 'gmail', name: null, reason: 'revoked' },
      { provider: 'gmail', name: 'ops', reason: 'missing' },
    ]);
  });

  it('takes linear time', async () => {
    expect(await growthOf(findMany, 12_000)).toBeLessThan(LESS_THAN_QUADRATIC);
  });
});
