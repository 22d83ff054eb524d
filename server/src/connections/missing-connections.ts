import { readConnectionRequirement } from './connection-requirements.ts';
import type { ConnectionState } from './connections.db.ts';

export interface MissingConnection {
  provider: string;
  name: string | null;
  reason: 'missing' | 'expired' | 'revoked';
}

/**
 * Specification 4.1, behaviour 4. Once each, in the order of the requirements; requirements without a provider are
 * reported elsewhere.
 */
export function findMissingConnections(
  requirements: readonly unknown[],
  connections: readonly ConnectionState[],
): MissingConnection[] {
  const standings = indexStandings(connections);
  const missing = new Map<string, MissingConnection>();
  for (const element of requirements) {
    const requirement = readConnectionRequirement(element);
    if (requirement === undefined || requirement.optional) continue;
    const { provider, name } = requirement;
    const key = toKey(provider, name);
    const reason = standings.get(key) ?? 'missing';
    if (reason !== 'active') missing.set(key, { provider, name, reason });
  }
  return [...missing.values()];
}

/** Renewing an expired connection is easier than replacing a revoked one. */
const BEST_FIRST: readonly Standing[] = ['active', 'expired', 'revoked'];
type Standing = ConnectionState['status'];

const toKey = (provider: string, name: string | null) => JSON.stringify([provider, name]);

/** Keeps the check linear for customers with years of connections. */
function indexStandings(connections: readonly ConnectionState[]): Map<string, Standing> {
  const standings = new Map<string, Standing>();
  for (const standing of BEST_FIRST) {
    for (const connection of connections) {
      if (connection.status !== standing) continue;
      for (const name of [null, connection.name]) {
        const key = toKey(connection.provider, name);
        if (!standings.has(key)) standings.set(key, standing);
      }
    }
  }
  return standings;
}
