import { at, isObject, textOf } from './json.ts';

interface Connection {
  provider: string;
  name: string | null;
  credentials: Record<string, unknown>;
}

export interface AgentSecrets {
  /** After a rotation; otherwise the key from the environment is valid. */
  proxy_key?: string;
  /** By customer id. */
  connections: Record<string, Connection[]>;
}

function isConnection(value: unknown): value is Connection {
  return isObject(value) && textOf(value['provider']) !== undefined && isObject(value['credentials']);
}

/** undefined for another shape. Ignores unknown keys. */
export function parseSecrets(value: unknown): AgentSecrets | undefined {
  const given = at(value, 'connections');
  if (!isObject(given)) return undefined;
  const connections = new Map<string, Connection[]>();
  for (const [customerId, list] of Object.entries(given)) {
    if (!Array.isArray(list) || !list.every(isConnection)) return undefined;
    connections.set(customerId, list);
  }
  const proxy_key = textOf(at(value, 'proxy_key'));
  return { connections: Object.fromEntries(connections), ...(proxy_key !== undefined && { proxy_key }) };
}

/** undefined: the customer has no connection to the channel. */
export function chatappToken(secrets: AgentSecrets, customerId: string): string | undefined {
  const connection = secrets.connections[customerId]?.find(({ provider }) => provider === 'chatapp');
  return textOf(connection?.credentials['access_token']);
}

export interface SecretStore {
  current: () => AgentSecrets;
  replace: (secrets: AgentSecrets) => void;
  /** Grows with each replacement. */
  version: () => number;
}

export function createSecretStore(): SecretStore {
  let current: AgentSecrets = { connections: {} };
  let version = 0;
  return {
    current: () => current,
    replace: (secrets) => {
      current = secrets;
      version += 1;
    },
    version: () => version,
  };
}
