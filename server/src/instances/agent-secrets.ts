import { connectionContext } from '../connections/connections.ts';
import { listGrantedConnections } from '../connections/grants.db.ts';
import type { TenantQueryable } from '../platform/db/queryable.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { findSealedProxyKey } from './proxy-keys.db.ts';

export interface ConnectionSecret {
  provider: string;
  name: string | null;
  credentials: unknown;
}

/** What a runtime is given in confidence: its proxy key, and the credentials that it may use, by customer. */
export interface AgentSecrets {
  proxy_key: string | null;
  connections: Record<string, ConnectionSecret[]>;
}

/** What each secret is sealed for: one that is moved to another row does not open there. */
export const proxyKeyContext = (instance_id: string) => `proxy-key:${instance_id}`;
export const messageSecretContext = (instance_id: string) => `message-secret:${instance_id}`;

export async function readAgentSecrets(
  q: TenantQueryable,
  keyring: Keyring,
  instance_id: string,
): Promise<AgentSecrets> {
  const [proxy_key, granted] = await Promise.all([
    readProxyKey(q, keyring, instance_id),
    q.run(listGrantedConnections(instance_id)),
  ]);
  const connections: AgentSecrets['connections'] = {};
  for (const { id, customer_id, provider, name, sealed_credentials } of granted) {
    const text = await keyring.open(q, sealed_credentials, connectionContext(id));
    (connections[customer_id] ??= []).push({ provider, name, credentials: JSON.parse(text) as unknown });
  }
  return { proxy_key, connections };
}

/** What an instance shows to the internal routes now; null when it has none. */
export async function readProxyKey(
  q: TenantQueryable,
  keyring: Keyring,
  instance_id: string,
): Promise<string | null> {
  const sealed = await findSealedProxyKey(q, instance_id);
  return sealed ? keyring.open(q, sealed, proxyKeyContext(instance_id)) : null;
}
