import { isJsonObject, type JsonObject } from '../platform/json/json-object.ts';

/**
 * Everything that a configuration needs a connection for: its requirements, and the providers of its MCP servers. The
 * runtime gets the credentials of the former alone.
 */
export function connectionNeeds({ connection_requirements, mcp_servers }: JsonObject): unknown[] {
  const providers = listOf(mcp_servers).flatMap((server) =>
    isJsonObject(server) && typeof server.provider === 'string' && server.provider !== ''
      ? [{ provider: server.provider }]
      : [],
  );
  return [...listOf(connection_requirements), ...providers];
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
