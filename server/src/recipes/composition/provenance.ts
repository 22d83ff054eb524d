import { isJsonObject, ownMember } from '../../platform/json/json-object.ts';
import { jsonPointer } from '../../platform/json/json-pointer.ts';

/** The layer that a value of a composed configuration comes from. */
export type Origin = 'platform' | 'recipe' | 'override';

/**
 * JSON pointer → origin. A pointer covers everything below it that has no pointer of its own; only pointers that add
 * information are listed (contract, section 11).
 */
export type Provenance = Record<string, Origin>;

/** A value of the layers below, the merge patch on it (undefined where there is none), and the result. */
interface Merge {
  base: unknown;
  patch: unknown;
  value: unknown;
}

/**
 * The origins in a field. A value belongs to the override that names it, even where the override repeats the value that
 * was there or empties an object; every other value belongs to `origin`.
 */
export function originsOf(pointer: string, merge: Merge, origin: Origin): Provenance {
  if (merge.patch === undefined) return { [pointer]: origin };
  const overridden = overriddenBelow(pointer, merge);
  if (!overridden) return { [pointer]: 'override' };
  return Object.fromEntries([[pointer, origin], ...overridden.map((below) => [below, 'override'])]);
}

/** The pointers of the parts that the patch has set; undefined where that is everything. */
function overriddenBelow(pointer: string, { base, patch, value }: Merge): string[] | undefined {
  if (!isJsonObject(base) || !isJsonObject(patch) || !isJsonObject(value)) return undefined;
  const overridden: string[] = [];
  let isBaseLeft = false;
  for (const key of Object.keys(value)) {
    if (!Object.hasOwn(patch, key)) {
      isBaseLeft = true;
      continue;
    }
    const at = pointer + jsonPointer(key);
    const below = overriddenBelow(at, { base: ownMember(base, key), patch: patch[key], value: value[key] });
    if (below) isBaseLeft = true;
    for (const part of below ?? [at]) overridden.push(part);
  }
  return isBaseLeft ? overridden : undefined;
}
