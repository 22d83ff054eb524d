import { isObject, type JsonObject } from './recipe-patch.ts';
import { slugOf } from './slugs.ts';

export interface Need {
  provider: string;
  /** The name of the connection, where the recipe insists on one. */
  name?: string | undefined;
  optional: boolean;
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const textAt = (element: unknown, key: string): string | undefined => {
  const value = isObject(element) ? element[key] : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
};

/** Connections that a customer needs before a deploy: those required, and those whose credential a tool server gets. */
export function needsOf({ connection_requirements, mcp_servers }: JsonObject): readonly Need[] {
  const needs = new Map<string, Need>();
  for (const element of listOf(connection_requirements)) {
    const provider = textAt(element, 'provider') ?? slugOf(element);
    if (provider === undefined) continue;
    const name = textAt(element, 'name');
    const optional = isObject(element) && element.optional === true;
    needs.set(`${provider} ${name ?? ''}`, { provider, name, optional });
  }
  for (const server of listOf(mcp_servers)) {
    const provider = textAt(server, 'provider');
    if (provider === undefined) continue;
    if (![...needs.values()].some((need) => need.provider === provider && !need.optional))
      needs.set(`${provider} `, { provider, name: undefined, optional: false });
  }
  return [...needs.values()];
}

/** "chatapp, google_drive (main), billing if there is one". */
export const needWords = (needs: readonly Need[]): string =>
  needs
    .map(
      ({ provider, name, optional }) =>
        `${provider}${name === undefined ? '' : ` (${name})`}${optional ? ' if there is one' : ''}`,
    )
    .join(', ');
