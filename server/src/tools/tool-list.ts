import { BOUNDS } from '../catalogue/bounds.contract.ts';
import type { Caller } from '../conversations/caller.ts';
import type { TenantQueryable } from '../platform/db/queryable.ts';
import { type McpServer, readMcpServers } from '../recipes/fields/mcp-servers.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { listServer } from './listed-tools.ts';
import { type OfferedTool, readTools } from './offered-tools.ts';
import { addressOf } from './server-addresses.ts';
import { downServer, noteServers, type ServerState } from './tool-servers.db.ts';
import { ByteBudget, ToolServerError, type ToolServers } from './tool-servers.port.ts';

export interface ListServices {
  keyring: Keyring;
  toolServers: ToolServers;
}

/** Timeout of a server for the list of tools; calls may have a longer one. */
const LIST_TIMEOUT_MS = 10_000;

/** The tools of all servers that answer, under names that models take. */
export async function listTools(
  services: ListServices,
  q: TenantQueryable,
  { instance_id, customer_id, config }: Caller,
  signal?: AbortSignal,
): Promise<OfferedTool[]> {
  const found: Found[] = [];
  const budget = new ByteBudget(BOUNDS.tool_lists_bytes);
  let bytes = 0;
  let isFull = false;
  // Recipes from before the bound may name more servers than are asked at once.
  for (const servers of inGroups(readMcpServers(config), BOUNDS.configuration.mcp_servers)) {
    const group = servers.map((server) => askServer(services, q, customer_id, server, { signal, budget }));
    for (const one of await Promise.all(group)) {
      const size = Buffer.byteLength(JSON.stringify(one.tools));
      const fits = bytes + size <= BOUNDS.page.tools_bytes;
      found.push(fits ? one : withoutTools(one));
      if (fits) bytes += size;
      else isFull = true;
    }
    if (isFull || signal?.aborted) break;
  }
  if (found.length > 0 && !signal?.aborted)
    await q.run(
      noteServers(
        instance_id,
        found.map(({ state }) => state),
      ),
    );
  return found.flatMap(({ tools }) => tools);
}

interface Found {
  tools: OfferedTool[];
  state: ServerState;
}

const TOO_MANY_TOOLS = 'The list of all tools would be larger than 1 MiB, so that it has none of this server';

const withoutTools = ({ state: { name, error } }: Found): Found => ({
  tools: [],
  state: downServer(name, error ?? TOO_MANY_TOOLS),
});

function* inGroups<T>(all: readonly T[], size: number): Generator<T[]> {
  for (let at = 0; at < all.length; at += size) yield all.slice(at, at + size);
}

async function askServer(
  { keyring, toolServers }: ListServices,
  q: TenantQueryable,
  customer_id: string,
  server: McpServer,
  { signal, budget }: { signal: AbortSignal | undefined; budget: ByteBudget },
): Promise<Found> {
  const { name } = server;
  try {
    const address = await addressOf(q, keyring, customer_id, server);
    const timeoutMs = Math.min(address.timeoutMs, LIST_TIMEOUT_MS);
    const listed = await listServer(toolServers, { ...address, timeoutMs }, signal, budget);
    const { tools, problems } = readTools(server, listed);
    return { tools, state: { name, ok: true, tools: tools.length, error: null, problems } };
  } catch (error) {
    if (!(error instanceof ToolServerError)) throw error;
    return { tools: [], state: downServer(name, error.message) };
  }
}
