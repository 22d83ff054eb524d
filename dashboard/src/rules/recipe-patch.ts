export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Compares two JSON values; the order of keys says nothing. */
export function isSame(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((each, at) => isSame(each, b[at]));
  if (!isObject(a) || !isObject(b)) return a === b;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && isSame(a[key], b[key]))
  );
}

/** JSON merge patch (RFC 7396): null takes away, a list replaces the whole list. Changes neither argument. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  return isObject(patch) ? mergeObjects(target, patch) : patch;
}

export function mergeObjects(target: unknown, patch: JsonObject): JsonObject {
  const merged = new Map(isObject(target) ? Object.entries(target) : []);
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else merged.set(key, mergePatch(merged.get(key), value));
  }
  return Object.fromEntries(merged);
}

/** The smallest merge patch that makes `to` of `from`; neither has null in an object. */
export function patchBetween(from: JsonObject, to: JsonObject): JsonObject {
  const patch = new Map<string, unknown>();
  for (const key of Object.keys(from)) if (!Object.hasOwn(to, key)) patch.set(key, null);
  for (const [key, value] of Object.entries(to)) {
    const before = Object.hasOwn(from, key) ? from[key] : undefined;
    if (isSame(before, value)) continue;
    const isDeep = isObject(before) && isObject(value);
    patch.set(key, isDeep ? patchBetween(before, value) : value);
  }
  return Object.fromEntries(patch);
}

/** Without null in objects, which in a merge patch would take away; in a recipe it says the same as absence. */
export function withoutNull(value: unknown): unknown {
  if (Array.isArray(value)) return value;
  return isObject(value) ? objectWithoutNull(value) : value;
}

export const objectWithoutNull = (value: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== null && member !== undefined)
      .map(([key, member]) => [key, withoutNull(member)]),
  );

const isEmpty = (value: unknown) =>
  value === undefined ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (isObject(value) && Object.keys(value).length === 0);

/** The value at a path of keys. */
export const valueAt = (content: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (value, key) => (isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined),
    content,
  );

/** With another value at a path; what is empty goes, and objects that it leaves empty. */
export function withValueAt(
  content: JsonObject,
  [key, ...below]: readonly string[],
  value: unknown,
): JsonObject {
  if (key === undefined) return content;
  const inside = valueAt(content, [key]);
  const next = below.length === 0 ? value : withValueAt(isObject(inside) ? inside : {}, below, value);
  const { [key]: _before, ...others } = content;
  if (isEmpty(next)) return others;
  return Object.hasOwn(content, key) ? { ...content, [key]: next } : { ...others, [key]: next };
}
