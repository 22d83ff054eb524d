import { isJsonObject } from '../../platform/json/json-object.ts';
import { aliasOf, aliasPrefix, toolName } from '../fields/tool-names.ts';

/** Longer than any tool's name. */
const LONGEST = 1000;

/**
 * Tests whether a rule's `tool`, a gateway name `<server>__<tool>` that may end in `*`, can match a tool of these
 * servers or its alias, without case. Servers without `allowed_tools` may have any tool.
 */
export function toolMatcher(mcp_servers: readonly unknown[]): (tool: string) => boolean {
  const names: string[] = [];
  const open: string[] = [];
  for (const server of mcp_servers) {
    const { name, allowed_tools } = isJsonObject(server) ? server : {};
    if (typeof name !== 'string') continue;
    if (Array.isArray(allowed_tools)) {
      const allowed = allowed_tools.map((tool) => toolName(name, String(tool)));
      names.push(...allowed, ...allowed.map(aliasOf));
    } else open.push(toolName(name, ''), aliasPrefix(name));
  }
  const known = new Set(lower(names));
  const openSet = new Set(lower(open));
  const [sortedNames, sortedOpen] = [[...known].toSorted(), [...openSet].toSorted()];
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

const lower = (texts: readonly string[]) => [...new Set(texts.map((text) => text.toLowerCase()))];

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
