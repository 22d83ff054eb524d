import { elementSlug, firstString } from '../catalogue/slugs.ts';
import { isJsonObject } from '../platform/json/json-object.ts';

/** A recipe's requirement; `name` is null where any connection of the provider satisfies it. */
export interface ConnectionRequirement {
  provider: string;
  name: string | null;
  optional: boolean;
}

/**
 * Reads an element of `connection_requirements`; undefined when it names no provider. Without another field for the
 * provider, `name` is the provider, as in `{name: "gmail"}`.
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
