import { describe, expect, it } from 'vitest';
import { growthOf, LESS_THAN_QUADRATIC } from '../../test/support/growth.ts';
import type { ConnectionState } from './connections.db.ts';
import { findMissingConnections } from './missing-connections.ts';

const NOW = new Date('2026-01-31T09:30:00.000Z');
const BEFORE = new Date(NOW.getTime() - 1);
const AFTER = new Date(NOW.getTime() + 1);

function connection(state: Partial<ConnectionState> = {}): ConnectionState {
  return { provider: 'gmail', name: 'sales', expires_at: null, revoked_at: null, ...state };
}
const LIVE = connection();
const EXPIRED = connection({ expires_at: BEFORE });
const REVOKED = connection({ revoked_at: BEFORE });

function reasons(requirements: unknown[], connections: ConnectionState[]) {
  return findMissingConnections(requirements, connections, NOW).map(({ reason }) => reason);
}

const findMany = (count: number) => {
  const requirements = Array.from({ length: count }, (_, n) => ({ provider: 'gmail', name: `box ${n}` }));
  const connections = Array.from({ length: count / 2 }, (_, n) =>
    connection({ name: `box ${2 * n}`, revoked_at: BEFORE }),
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
    ['a connection that ends later', [connection({ expires_at: AFTER })], []],
    ['a connection that ends now', [connection({ expires_at: NOW })], ['expired']],
    ['an expired and a revoked connection', [REVOKED, EXPIRED], ['expired']],
    ['a revoked connection', [REVOKED], ['revoked']],
    [
      'a revoked connection that has expired too',
      [connection({ expires_at: BEFORE, revoked_at: BEFORE })],
      ['revoked'],
    ],
  ])('with %s', (_, connections, expected) => {
    expect(reasons(['gmail'], connections)).toEqual(expected);
  });

  it('matches the name where the requirement has one', () => {
    const named = { provider: 'gmail', name: 'support' };
    expect(findMissingConnections([named], [LIVE], NOW)).toEqual([{ ...named, reason: 'missing' }]);
    expect(findMissingConnections([named], [connection({ name: 'support' })], NOW)).toEqual([]);
    expect(findMissingConnections([named], [connection({ name: null })], NOW)).toHaveLength(1);
    expect(findMissingConnections([{ name: 'gmail' }], [connection({ name: null })], NOW)).toEqual([]);
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
    expect(findMissingConnections(requirements, [REVOKED], NOW)).toEqual([
      { provider: 'slack', name: null, reason: 'missing' },
      { provider: 'gmail', name: null, reason: 'revoked' },
      { provider: 'gmail', name: 'ops', reason: 'missing' },
    ]);
  });

  it('takes linear time', async () => {
    expect(await growthOf(findMany, 12_000)).toBeLessThan(LESS_THAN_QUADRATIC);
  });
});
