import Type, { type TSchema } from 'typebox';
import { isJsonObject, type JsonObject } from '../../platform/json/json-object.ts';
import type { ActingKeys } from './acting-key.ts';
import { isInRange } from './read-key.ts';
import { TOOL_SEPARATOR } from './tool-names.ts';

const DEFAULT_TIMEOUT_SECONDS = 30;
const MAX_TIMEOUT_SECONDS = 120;
const NAME = /^[A-Za-z0-9-]+(_[A-Za-z0-9-]+)*$/;

const byService = (shape: TSchema, expected: string, isValid?: (value: unknown) => boolean) => ({
  by: 'control_plane' as const,
  shape,
  expected,
  ...(isValid && { isValid }),
});

const isUrl = (value: unknown) =>
  URL.canParse(String(value)) && /^https?:$/.test(new URL(String(value)).protocol);

/** An element without a name or an address has no tools. */
export const MCP_SERVERS_KEYS: ActingKeys = {
  name: byService(
    Type.String({ minLength: 1, maxLength: 64 }),
    'up to 64 letters, digits and hyphens, with single underscores between them',
    (value) => NAME.test(String(value)),
  ),
  url: byService(Type.String({ minLength: 1, maxLength: 2000 }), 'an https address', isUrl),
  provider: byService(Type.String({ minLength: 1, maxLength: 100 }), 'the provider of a connection'),
  allowed_tools: byService(
    Type.Array(Type.String({ minLength: 1, maxLength: 200 })),
    'a list of the server’s tools; until then it has none',
  ),
  timeout_seconds: byService(
    Type.Number({ minimum: 1, maximum: MAX_TIMEOUT_SECONDS }),
    `a number from 1 to ${MAX_TIMEOUT_SECONDS}`,
  ),
};

export interface McpServer {
  name: string;
  url: string;
  /** The provider of the connection with its credential; null: none. */
  provider: string | null;
  /** null: all. */
  allowed_tools: ReadonlySet<string> | null;
  timeout_seconds: number;
}

/** Valid servers; the first of those with the same name. Fails closed: an invalid allowed_tools allows none. */
export function readMcpServers({ mcp_servers }: JsonObject): McpServer[] {
  const servers = new Map<string, McpServer>();
  for (const element of Array.isArray(mcp_servers) ? mcp_servers : []) {
    const server = isJsonObject(element) ? readServer(element) : undefined;
    if (server && !servers.has(server.name)) servers.set(server.name, server);
  }
  return [...servers.values()];
}

function readServer(element: JsonObject): McpServer | undefined {
  const { name, url, provider, timeout_seconds, allowed_tools = null } = element;
  if (!isValid('name', name) || !isValid('url', url)) return undefined;
  const isListed = allowed_tools !== null;
  const named = isValid('allowed_tools', allowed_tools) ? (allowed_tools as string[]) : [];
  return {
    name: String(name),
    url: String(url),
    provider: isValid('provider', provider) ? String(provider) : null,
    allowed_tools: isListed ? new Set(named) : null,
    timeout_seconds: isValid('timeout_seconds', timeout_seconds)
      ? Number(timeout_seconds)
      : DEFAULT_TIMEOUT_SECONDS,
  };
}

function isValid(key: string, value: unknown): boolean {
  const rule = MCP_SERVERS_KEYS[key];
  return rule !== undefined && isInRange(rule, value);
}

/** By the server's own name of the tool. */
export interface ToolTarget {
  server: McpServer;
  tool: string;
}

/** Resolves a gateway name; undefined if no server may have such a tool. */
export function findTool(servers: readonly McpServer[], name: string): ToolTarget | undefined {
  const end = name.indexOf(TOOL_SEPARATOR);
  const server = servers.find((one) => one.name === name.slice(0, Math.max(end, 0)));
  const tool = name.slice(end + TOOL_SEPARATOR.length);
  return server && tool !== '' && isAllowed(server, tool) ? { server, tool } : undefined;
}

export const isAllowed = ({ allowed_tools }: McpServer, tool: string): boolean =>
  allowed_tools?.has(tool) !== false;
