import { isObject, type JsonObject } from './recipe-patch.ts';

/** An object of another one; empty where there is none. */
export const objectIn = (object: JsonObject, name: string): JsonObject => {
  const inner = object[name];
  return isObject(inner) ? inner : {};
};

/** With these fields; undefined takes one out, and an object that is left empty goes, too. */
export function withFields(object: JsonObject, name: string, fields: JsonObject): JsonObject {
  const kept = Object.entries({ ...objectIn(object, name), ...fields }).filter(
    ([, value]) => value !== undefined,
  );
  const { [name]: _, ...others } = object;
  return kept.length > 0 ? { ...others, [name]: Object.fromEntries(kept) } : others;
}
