import { createHash } from 'node:crypto';
import type { ToolServerAddress, ToolServers } from './tool-servers.port.ts';

const KEPT_MS = 5 * 60_000;
const MOST_SERVERS = 1000;

interface Listed {
  names: ReadonlySet<string>;
  /** By `performance.now()`. */
  until: number;
}

/** The last list of each server for a credential, so that a call does not cost a list. */
const known = new WeakMap<ToolServers, Map<string, Listed>>();

/** A name that is not known is looked up anew, because a server may have got it since. Rejects with a ToolServerError. */
export async function isListed(
  toolServers: ToolServers,
  address: ToolServerAddress,
  tool: string,
  signal?: AbortSignal,
): Promise<boolean> {
  const lists = known.get(toolServers) ?? new Map<string, Listed>();
  known.set(toolServers, lists);
  const key = keyOf(address);
  const before = lists.get(key);
  if (before && before.until > performance.now() && before.names.has(tool)) return true;
  const names = new Set((await toolServers.list(address, signal)).map(({ name }) => name));
  lists.delete(key);
  lists.set(key, { names, until: performance.now() + KEPT_MS });
  for (const oldest of lists.keys()) {
    if (lists.size <= MOST_SERVERS) break;
    lists.delete(oldest);
  }
  return names.has(tool);
}

/** Without the credential itself. */
const keyOf = ({ url, headers }: ToolServerAddress): string =>
  createHash('sha256')
    .update(JSON.stringify([url.href, headers]))
    .digest('base64');
