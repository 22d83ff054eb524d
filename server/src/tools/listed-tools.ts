import { createHash } from 'node:crypto';
import { isJsonObject } from '../platform/json/json-object.ts';
import { isRepeatable } from './offered-tools.ts';
import type { ByteBudget, ListedTools, ToolServerAddress, ToolServers } from './tool-servers.port.ts';

const KEPT_MS = 5 * 60_000;
/** A name that is missing is looked for again after this time. */
const FRESH_MS = 250;
const MOST_SERVERS = 1000;

export interface ListedTool {
  isRepeatable: boolean;
}

interface Kept {
  /** By the server's own names. */
  tools: ReadonlyMap<string, ListedTool>;
  /** By `performance.now()`. */
  at: number;
}

/** The last list of each server for a credential, so that a call does not cost a list. */
const known = new WeakMap<ToolServers, Map<string, Kept>>();

/** Asks the server now. Rejects with a ToolServerError. */
export async function listServer(
  toolServers: ToolServers,
  address: ToolServerAddress,
  signal?: AbortSignal,
  budget?: ByteBudget,
): Promise<ListedTools> {
  const listed = await toolServers.list(address, signal, budget);
  keep(toolServers, address, listed);
  return listed;
}

/**
 * The first that `find` finds among the tools that a server lists, by their names. Where it finds none, the server is asked
 * anew, because it may have got it since. Rejects with a ToolServerError.
 */
export async function findListed<T>(
  toolServers: ToolServers,
  address: ToolServerAddress,
  find: (tools: ReadonlyMap<string, ListedTool>) => T | undefined,
  signal?: AbortSignal,
): Promise<T | undefined> {
  const before = known.get(toolServers)?.get(keyOf(address));
  const age = before ? performance.now() - before.at : Infinity;
  const found = before && age < KEPT_MS ? find(before.tools) : undefined;
  if (found !== undefined || age < FRESH_MS) return found;
  return find(keep(toolServers, address, await toolServers.list(address, signal)));
}

function keep(toolServers: ToolServers, address: ToolServerAddress, { tools: listed }: ListedTools) {
  const lists = known.get(toolServers) ?? new Map<string, Kept>();
  known.set(toolServers, lists);
  const tools = new Map<string, ListedTool>();
  for (const tool of listed)
    if (isJsonObject(tool) && typeof tool.name === 'string')
      tools.set(tool.name, { isRepeatable: isRepeatable(tool) });
  const key = keyOf(address);
  lists.delete(key);
  lists.set(key, { tools, at: performance.now() });
  for (const oldest of lists.keys()) {
    if (lists.size <= MOST_SERVERS) break;
    lists.delete(oldest);
  }
  return tools;
}

/** Without the credential itself. */
const keyOf = ({ url, headers }: ToolServerAddress): string =>
  createHash('sha256')
    .update(JSON.stringify([url.href, headers]))
    .digest('base64');
