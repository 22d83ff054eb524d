import { isJsonObject } from '../../platform/json/json-object.ts';

/**
 * JSON Merge Patch (RFC 7396). Changes neither argument; the result shares unchanged parts with both.
 * `__proto__` and `constructor` are ordinary keys: fromEntries defines own properties, unlike assignment.
 */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isJsonObject(patch)) return patch;
  const merged = new Map(isJsonObject(target) ? Object.entries(target) : []);
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else merged.set(key, mergePatch(merged.get(key), value));
  }
  return Object.fromEntries(merged);
}
