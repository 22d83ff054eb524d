import { isJsonObject, ownMember } from '../platform/json/json-object.ts';

/** The slug of a list element: the string itself, or an object's `slug`, `type`, `name` or `id` (contract, section 4). */
export function elementSlug(element: unknown): string | undefined {
  if (typeof element === 'string') return element;
  if (!isJsonObject(element)) return undefined;
  return firstString(element.slug, element.type, element.name, element.id);
}

/** True for a skill that `module_config` turns off: `{<slug>: {enabled: false}}`. */
export function isSkillOff(module_config: unknown, slug: string | undefined): boolean {
  if (slug === undefined || !isJsonObject(module_config)) return false;
  const settings = ownMember(module_config, slug);
  return isJsonObject(settings) && ownMember(settings, 'enabled') === false;
}

export function firstString(...values: readonly unknown[]): string | undefined {
  return values.find((value) => typeof value === 'string');
}
