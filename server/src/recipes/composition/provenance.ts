import { isJsonObject, ownMember } from '../../platform/json/json-object.ts';
import { jsonPointer } from '../../platform/json/json-pointer.ts';

type Origin = 'platform' | 'recipe' | 'override';

/**
 * JSON pointer → origin. It covers everything below without a pointer of its own; redundant pointers are omitted
 * (contract, section 11).
 */
export type Provenance = Record<string, Origin>;

/** The value of the lower layers, the merge patch (undefined: none) and the result. */
interface Merge {
  base: unknown;
  patch: unknown;
  value: unknown;
}

/**
 * A value that an override names belongs to it, even if the override repeats the value or empties an object; every
 * other value belongs to `origin`.
 */
export function originsOf(pointer: string, merge: Merge, origin: Origin): Provenance {
  if (merge.patch === undefined) return { [pointer]: origin };
  const overridden = overriddenBelow(pointer, merge);
  if (!overridden) return { [pointer]: 'override' };
  return Object.fromEntries([[pointer, origin], ...overridden.map((below) => [below, 'override'])]);
}

/** Pointers that the patch has set; undefined: all of them. */
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
