import { readConnectionRequirement } from './connection-requirements.ts';

/** The part of a customer's connection that decides whether it can be used. */
export interface ConnectionState {
  provider: string;
  name: string | null;
  expires_at: Date | null;
  revoked_at: Date | null;
}

export interface MissingConnection {
  provider: string;
  name: string | null;
  reason: 'missing' | 'expired' | 'revoked';
}

/**
 * What stands between a customer's connections and a deploy (specification 4.1, behaviour 4): each required
 * provider and name once, in the order of the requirements. Ready means the list is empty.
 *
 * Optional requirements never block. One that names no provider cannot be looked for, and is a violation instead.
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

/** An expired connection is named before a revoked one: renewing it is the shorter way to ready. */
const BEST_FIRST: readonly Standing[] = ['usable', 'expired', 'revoked'];

const keyOf = (provider: string, name: string | null) => JSON.stringify([provider, name]);

/**
 * How the best of the connections stands that a requirement may mean, by provider and name and by provider alone: a
 * patched recipe can require fifty thousand connections, and a customer may have had thousands.
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
