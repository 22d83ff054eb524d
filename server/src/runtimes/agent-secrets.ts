import { connectionContext } from '../connections/connections.ts';
import { listGrantedConnections } from '../connections/grants.db.ts';
import { isBuiltIn } from '../instances/instances.db.ts';
import type { TenantQueryable } from '../platform/db/queryable.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { openedOr } from '../secrets/unreadable.ts';
import { findSealedProxyKey } from './proxy-keys.db.ts';

/** The provider of messengers. */
const CHANNEL = 'chatapp';

export type TenantKeyring = Pick<Keyring, 'seal' | 'open'>;

interface ConnectionSecret {
  provider: string;
  name: string | null;
  credentials: unknown;
}

export interface AgentSecrets {
  proxy_key: string | null;
  /** By customer id. */
  connections: Record<string, ConnectionSecret[]>;
}

/** Sealing contexts bind a secret to its instance: copied to another row, it does not open. */
export const proxyKeyContext = (instance_id: string) => `proxy-key:${instance_id}`;
export const messageSecretContext = (instance_id: string) => `message-secret:${instance_id}`;

export async function readAgentSecrets(
  q: TenantQueryable,
  keyring: TenantKeyring,
  instance_id: string,
): Promise<AgentSecrets> {
  const [sealed_proxy_key, granted, hasNoWayOut] = await q.run(
    findSealedProxyKey(instance_id),
    listGrantedConnections(instance_id),
    isBuiltIn(instance_id),
  );
  const proxy_key = await openProxyKey(q, keyring, instance_id, sealed_proxy_key);
  const connections: AgentSecrets['connections'] = {};
  for (const { id, customer_id, provider, name, sealed_credentials } of granted) {
    // It would need them for marking messages as read, which the service does.
    if (hasNoWayOut && provider === CHANNEL) continue;
    const text = await openedOr(keyring.open(q, sealed_credentials, connectionContext(id)), undefined);
    if (text === undefined) continue;
    (connections[customer_id] ??= []).push({ provider, name, credentials: JSON.parse(text) as unknown });
  }
  return { proxy_key, connections };
}

/** null: the instance has no proxy key, or none that opens; it gets a new one at its next start. */
export async function openProxyKey(
  q: TenantQueryable,
  keyring: TenantKeyring,
  instance_id: string,
  sealed: Buffer | undefined,
): Promise<string | null> {
  return sealed ? openedOr(keyring.open(q, sealed, proxyKeyContext(instance_id)), null) : null;
}
