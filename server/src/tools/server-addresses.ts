import { isAllowedHost } from '../connections/allowed-hosts.ts';
import { listProviderConnections } from '../connections/connections.db.ts';
import { connectionContext } from '../connections/connections.ts';
import type { TenantQueryable } from '../platform/db/queryable.ts';
import { isJsonObject } from '../platform/json/json-object.ts';
import type { McpServer } from '../recipes/fields/mcp-servers.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { openedOr } from '../secrets/unreadable.ts';
import { type ToolServerAddress, ToolServerError } from './tool-servers.port.ts';

/**
 * Adds the credential of the customer's oldest live connection that allows the host (contract, section 14). Throws a
 * ToolServerError when a required credential is missing or invalid.
 */
export async function addressOf(
  q: TenantQueryable,
  keyring: Pick<Keyring, 'open'>,
  customer_id: string,
  { url: text, provider, timeout_seconds }: McpServer,
): Promise<ToolServerAddress> {
  const url = new URL(text);
  const address = { url, headers: {}, timeoutMs: timeout_seconds * 1000 };
  if (provider === null) return address;
  const connections = await q.run(listProviderConnections(customer_id, provider));
  if (connections.length === 0)
    throw new ToolServerError(`The customer has no active connection ${provider}`);
  const connection = connections.find(({ allowed_hosts }) => isAllowedHost(url, allowed_hosts));
  if (!connection) throw new ToolServerError(`No connection ${provider} names ${url.host} in allowed_hosts`);
  const { id, sealed_credentials } = connection;
  const opening = keyring.open(q, sealed_credentials, connectionContext(id));
  const credentials = await openedOr(opening, undefined);
  if (credentials === undefined)
    throw new ToolServerError(`The credentials of the connection ${provider} are unreadable: set them again`);
  return { ...address, headers: headersOf(JSON.parse(credentials), provider) };
}

/** `{token}` is sent as a bearer token, `{headers}` unchanged. */
function headersOf(credentials: unknown, provider: string): Record<string, string> {
  const unusable = () =>
    new ToolServerError(`The credentials of the connection ${provider} are neither {token} nor {headers}`);
  if (!isJsonObject(credentials)) throw unusable();
  const { token, headers } = credentials;
  const given = isJsonObject(headers) ? Object.entries(headers) : [];
  const pairs = typeof token === 'string' ? [...given, ['authorization', `Bearer ${token}`]] : given;
  if (pairs.length === 0 || pairs.some(([, value]) => typeof value !== 'string')) throw unusable();
  try {
    return Object.fromEntries(new Headers(pairs as [string, string][]));
  } catch {
    throw unusable();
  }
}
