import { elementSlug, firstString } from '../catalogue/slugs.ts';
import { isJsonObject } from '../platform/json/json-object.ts';

/** What a recipe's connection requirement asks for; `name` is null when any connection of the provider will do. */
export interface ConnectionRequirement {
  provider: string;
  name: string | null;
  optional: boolean;
}

/**
 * Reads an element of `connection_requirements`; undefined when it names no provider.
 * `name` is the connection's only when something else names the provider: in `{name: "gmail"}` it is the provider itself.
 */
export function readConnectionRequirement(element: unknown): ConnectionRequirement | undefined {
  if (!isJsonObject(element)) {
    return typeof element === 'string' ? { provider: element, name: null, optional: false } : undefined;
  }
  const besidesName = firstString(element.provider, element.slug, element.type);
  const provider = besidesName ?? elementSlug(element);
  if (provider === undefined) return undefined;
  const name = besidesName === undefined ? null : (firstString(element.name) ?? null);
  return { provider, name, optional: element.optional === true };
}
