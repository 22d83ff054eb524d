import type { Queryable } from '../db/database.ts';
import { listGrantedConnections } from '../db/grants.ts';
import { findSealedProxyKey } from '../db/proxy-keys.ts';
import type { Keyring } from './keyring.ts';

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
export const connectionContext = (connection_id: string) => `connection:${connection_id}`;
export const messageSecretContext = (instance_id: string) => `message-secret:${instance_id}`;

export async function readAgentSecrets(
  q: Queryable,
  keyring: Keyring,
  tenant_id: string,
  instance_id: string,
): Promise<AgentSecrets> {
  const [sealedKey, granted] = await Promise.all([
    findSealedProxyKey(q, instance_id),
    listGrantedConnections(q, instance_id),
  ]);
  const connections: AgentSecrets['connections'] = {};
  for (const { id, customer_id, provider, name, sealed_credentials } of granted) {
    const text = await keyring.open(q, tenant_id, sealed_credentials, connectionContext(id));
    (connections[customer_id] ??= []).push({ provider, name, credentials: JSON.parse(text) as unknown });
  }
  const proxy_key = sealedKey
    ? await keyring.open(q, tenant_id, sealedKey, proxyKeyContext(instance_id))
    : null;
  return { proxy_key, connections };
}
