import { createHash } from 'node:crypto';

/** Separates server and tool in a gateway name, so no server's name may contain it. */
export const TOOL_SEPARATOR = '__';

const MAX_LENGTH = 64;
const HASH_LENGTH = 8;
const MAX_FOLDED = MAX_LENGTH - HASH_LENGTH - 1;
/** Names of functions that language models take. */
const TAKEN = /^[A-Za-z_][\w-]{0,63}$/;
const HASHED = new RegExp(`_[0-9a-f]{${HASH_LENGTH}}$`);

/** The gateway name. */
export const toolName = (server: string, tool: string): string => `${server}${TOOL_SEPARATOR}${tool}`;

/**
 * The name that models call a tool by: its gateway name, or one made of that where models do not take it. No other tool
 * takes part in it, so it stays while a server's tools come and go.
 */
export function aliasOf(name: string): string {
  if (TAKEN.test(name)) return name;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, HASH_LENGTH);
  return `${folded(name)}_${hash}`;
}

/** Servers of which `name` may be an alias, by their names. */
export function mayBeAliasOf(name: string, server: string): boolean {
  return HASHED.test(name) && TAKEN.test(name) && name.startsWith(aliasPrefix(server));
}

/** All aliases of a server's tools begin with it. */
export const aliasPrefix = (server: string): string => folded(toolName(server, ''));

/** Without accents; whatever models do not take becomes an underscore. */
function folded(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^\w-]/g, '_');
  return `${/^[A-Za-z_]/.test(plain) ? '' : '_'}${plain}`.slice(0, MAX_FOLDED);
}
