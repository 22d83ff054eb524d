import { elementSlug, firstString } from '../catalogue/slugs.ts';
import { isJsonObject } from '../platform/json/json-object.ts';

/** A null `name` matches any connection of the provider. */
interface ConnectionRequirement {
  provider: string;
  name: string | null;
  optional: boolean;
}

/** undefined without a provider. `name` is the provider when no other field names one, as in `{name: "gmail"}`. */
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
