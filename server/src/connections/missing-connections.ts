import { readConnectionRequirement } from './connection-requirements.ts';
import type { ConnectionState } from './connections.db.ts';

export interface MissingConnection {
  provider: string;
  name: string | null;
  reason: 'missing' | 'expired' | 'revoked';
}

/**
 * The connections that a deploy lacks (specification 4.1, behaviour 4): each required provider and name once, in the
 * order of the requirements. Optional requirements never block; one without a provider is a violation elsewhere.
 */
export function findMissingConnections(
  requirements: readonly unknown[],
  connections: readonly ConnectionState[],
  now: Date,
): MissingConnection[] {
  const standings = standingsOf(connections, now);
  const missing = new Map<string, MissingConnection>();
  for (const element of requirements) {
    const requirement = readConnectionRequirement(element);
    if (requirement === undefined || requirement.optional) continue;
    const { provider, name } = requirement;
    const key = keyOf(provider, name);
    const reason = standings.get(key) ?? 'missing';
    if (reason !== 'usable') missing.set(key, { provider, name, reason });
  }
  return [...missing.values()];
}

type Standing = 'usable' | 'expired' | 'revoked';

/** Expired before revoked, because renewing a connection is the shorter way to ready. */
const BEST_FIRST: readonly Standing[] = ['usable', 'expired', 'revoked'];

const keyOf = (provider: string, name: string | null) => JSON.stringify([provider, name]);

/**
 * The best standing of the connections by provider and name, and by provider alone. The index keeps the check linear
 * for recipes with many requirements and customers with years of connections.
 */
function standingsOf(connections: readonly ConnectionState[], now: Date): Map<string, Standing> {
  const standings = new Map<string, Standing>();
  for (const standing of BEST_FIRST) {
    for (const connection of connections) {
      if (standingOf(connection, now) !== standing) continue;
      for (const name of [null, connection.name]) {
        const key = keyOf(connection.provider, name);
        if (!standings.has(key)) standings.set(key, standing);
      }
    }
  }
  return standings;
}

function standingOf({ revoked_at, expires_at }: ConnectionState, now: Date): Standing {
  if (revoked_at !== null) return 'revoked';
  return expires_at === null || expires_at > now ? 'usable' : 'expired';
}
