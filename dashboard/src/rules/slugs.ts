import { isObject } from './recipe-patch.ts';

/** Elements of lists are slugs, or objects with one. */
export function slugOf(element: unknown): string | undefined {
  if (typeof element === 'string') return element;
  if (!isObject(element)) return undefined;
  return [element.slug, element.type, element.name, element.id].find((each) => typeof each === 'string');
}

export const slugsOf = (list: unknown): readonly string[] =>
  (Array.isArray(list) ? list : []).flatMap((element) => slugOf(element) ?? []);

/** The list without the slug, or with it at the end. */
export function toggled(list: unknown, slug: string): readonly unknown[] {
  const elements: readonly unknown[] = Array.isArray(list) ? list : [];
  const others = elements.filter((element) => slugOf(element) !== slug);
  return others.length < elements.length ? others : [...elements, slug];
}

/** With a member of the slug's element; without members the element is the slug alone. */
export function withMember(list: unknown, slug: string, member: string, value: unknown): readonly unknown[] {
  return (Array.isArray(list) ? list : []).map((element: unknown) => {
    if (slugOf(element) !== slug) return element;
    const { [member]: _before, ...others } = isObject(element) ? element : { slug };
    if (value !== undefined) return { ...others, [member]: value };
    return Object.keys(others).length === 1 && others.slug === slug ? slug : others;
  });
}

export const memberOf = (list: unknown, slug: string, member: string): unknown => {
  const found = (Array.isArray(list) ? list : []).find((element: unknown) => slugOf(element) === slug);
  return isObject(found) ? found[member] : undefined;
};
