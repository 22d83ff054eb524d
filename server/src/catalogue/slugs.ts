import { isJsonObject, ownMember } from '../platform/json/json-object.ts';

/** Contract, section 4. */
export function elementSlug(element: unknown): string | undefined {
  if (typeof element === 'string') return element;
  if (!isJsonObject(element)) return undefined;
  return firstString(element.slug, element.type, element.name, element.id);
}

/** `{<slug>: {enabled: false}}` */
export function isSkillOff(module_config: unknown, slug: string | undefined): boolean {
  if (slug === undefined || !isJsonObject(module_config)) return false;
  const settings = ownMember(module_config, slug);
  return isJsonObject(settings) && ownMember(settings, 'enabled') === false;
}

export function firstString(...values: readonly unknown[]): string | undefined {
  return values.find((value) => typeof value === 'string');
}
