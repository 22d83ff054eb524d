import { isJsonObject, type JsonObject } from '../platform/json/json-object.ts';

/** Connection requirements, and providers of MCP servers. The runtime gets credentials only for the former. */
export function connectionNeeds({ connection_requirements, mcp_servers }: JsonObject): unknown[] {
  const providers = listOf(mcp_servers).flatMap((server) =>
    isJsonObject(server) && typeof server.provider === 'string' && server.provider !== ''
      ? [{ provider: server.provider }]
      : [],
  );
  return [...listOf(connection_requirements), ...providers];
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
