import { type ConnectionRequirement, readConnectionRequirement } from './slugs.ts';

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
  const byProvider = groupByProvider(connections);
  const missing = new Map<string, MissingConnection>();
  for (const element of requirements) {
    const requirement = readConnectionRequirement(element);
    if (requirement === undefined || requirement.optional) continue;
    const { provider, name } = requirement;
    const reason = reasonMissing(requirement, byProvider.get(provider) ?? [], now);
    if (reason !== undefined) missing.set(JSON.stringify([provider, name]), { provider, name, reason });
  }
  return [...missing.values()];
}

/** A patched recipe can require a hundred thousand connections: each is compared with its own provider's alone. */
function groupByProvider(connections: readonly ConnectionState[]): Map<string, ConnectionState[]> {
  const groups = new Map<string, ConnectionState[]>();
  for (const connection of connections) {
    const group = groups.get(connection.provider);
    if (group === undefined) groups.set(connection.provider, [connection]);
    else group.push(connection);
  }
  return groups;
}

/** An expired connection is named before a revoked one: renewing it is the shorter way to ready. */
function reasonMissing(
  requirement: ConnectionRequirement,
  ofProvider: readonly ConnectionState[],
  now: Date,
): MissingConnection['reason'] | undefined {
  const matching = ofProvider.filter(({ name }) => requirement.name === null || name === requirement.name);
  const unrevoked = matching.filter(({ revoked_at }) => revoked_at === null);
  if (unrevoked.some(({ expires_at }) => expires_at === null || expires_at > now)) return undefined;
  if (unrevoked.length > 0) return 'expired';
  return matching.length > 0 ? 'revoked' : 'missing';
}
