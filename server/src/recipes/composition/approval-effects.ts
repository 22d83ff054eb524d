import { isJsonObject } from '../../platform/json/json-object.ts';

/** Longer than any tool's name. */
const LONGEST = 1000;

/**
 * Tests whether a rule's `tool`, a gateway name `<server>__<tool>` that may end in `*`, can match a tool of these
 * servers, without case. Servers without `allowed_tools` may have any tool.
 */
export function toolMatcher(mcp_servers: readonly unknown[]): (tool: string) => boolean {
  const names: string[] = [];
  const open: string[] = [];
  for (const server of mcp_servers) {
    if (!isJsonObject(server) || typeof server.name !== 'string') continue;
    const prefix = `${server.name}__`.toLowerCase();
    if (Array.isArray(server.allowed_tools))
      names.push(...server.allowed_tools.map((name) => prefix + String(name).toLowerCase()));
    else open.push(prefix);
  }
  const known = new Set(names);
  const openSet = new Set(open);
  const [sortedNames, sortedOpen] = [names.toSorted(), open.toSorted()];
  return (rule) => {
    if (rule.length > LONGEST) return false;
    const tool = rule.toLowerCase();
    if (!tool.endsWith('*')) return known.has(tool) || isBelow(tool, openSet, 1);
    const beginning = tool.slice(0, -1);
    return (
      someBeginWith(beginning, sortedNames) ||
      someBeginWith(beginning, sortedOpen) ||
      isBelow(beginning, openSet, 0)
    );
  };
}

/** Each prefix ends in `__`. */
function isBelow(text: string, prefixes: ReadonlySet<string>, longerBy: number): boolean {
  for (let at = text.indexOf('__'); at >= 0; at = text.indexOf('__', at + 1)) {
    if (text.length >= at + 2 + longerBy && prefixes.has(text.slice(0, at + 2))) return true;
  }
  return false;
}

/** Binary search for a text that begins with `beginning`. */
function someBeginWith(beginning: string, sorted: readonly string[]): boolean {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((sorted[middle] ?? '') < beginning) from = middle + 1;
    else to = middle;
  }
  return sorted[from]?.startsWith(beginning) ?? false;
}
