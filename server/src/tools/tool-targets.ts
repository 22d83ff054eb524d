import type { Caller } from '../conversations/caller.ts';
import type { TenantQueryable } from '../platform/db/queryable.ts';
import { findTool, isAllowed, readMcpServers, type ToolTarget } from '../recipes/fields/mcp-servers.ts';
import { aliasOf, mayBeAliasOf, toolName } from '../recipes/fields/tool-names.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { findListed } from './listed-tools.ts';
import { isStorableName } from './offered-tools.ts';
import { addressOf } from './server-addresses.ts';
import type { ToolServers } from './tool-servers.port.ts';

/**
 * The tool that `name` means: a gateway name, or the alias of one. A tool that has the alias as its own name comes first, as in
 * the list. Rejects with a ToolServerError where the server of an alias cannot be asked.
 */
export async function findTarget(
  { keyring, toolServers }: { keyring: Keyring; toolServers: ToolServers },
  q: TenantQueryable,
  { config, customer_id }: Pick<Caller, 'config' | 'customer_id'>,
  name: string,
  signal?: AbortSignal,
): Promise<ToolTarget | undefined> {
  if (!isStorableName(name)) return undefined;
  const servers = readMcpServers(config);
  const named = findTool(servers, name);
  for (const server of servers.filter((one) => mayBeAliasOf(name, one.name))) {
    const address = await addressOf(q, keyring, customer_id, server);
    const find = (tools: ReadonlyMap<string, unknown>) => {
      const own = named?.server === server && tools.has(named.tool) ? named.tool : undefined;
      return own ?? aliasesOf(tools, server.name).get(name);
    };
    const tool = await findListed(toolServers, address, find, signal);
    if (tool !== undefined) return isAllowed(server, tool) ? { server, tool } : undefined;
  }
  return named;
}

/** Aliases of lists that are kept, so that a call does not compute the alias of each tool. */
const known = new WeakMap<ReadonlyMap<string, unknown>, Map<string, ReadonlyMap<string, string>>>();

/** The names of a server's tools by their aliases; the first of equal ones. */
function aliasesOf(tools: ReadonlyMap<string, unknown>, server: string): ReadonlyMap<string, string> {
  const ofServers = known.get(tools) ?? new Map<string, ReadonlyMap<string, string>>();
  known.set(tools, ofServers);
  const aliases =
    ofServers.get(server) ??
    new Map([...tools.keys()].toReversed().map((tool) => [aliasOf(toolName(server, tool)), tool]));
  ofServers.set(server, aliases);
  return aliases;
}
