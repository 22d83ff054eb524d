import { isJsonObject } from '../../platform/json/json-object.ts';
import { jsonPointer } from '../../platform/json/json-pointer.ts';
import type { Steps } from '../../platform/load/in-turns.ts';

/** The layer that a value of a composed configuration comes from. */
export type Origin = 'platform' | 'recipe' | 'override';

/** JSON pointer → origin, for every leaf. */
export type Provenance = Record<string, Origin>;

/**
 * Writes the origin of every leaf of `value` into `provenance`. Leaves are scalars, null, arrays and empty objects.
 *
 * `patch` is the merge patch that led to `value`, undefined where it says nothing: a leaf that it speaks of is the
 * override's, also where the override repeats what was there or emptied an object; every other one is `base`'s.
 */
export function* recordOrigins(
  provenance: Provenance,
  pointer: string,
  value: unknown,
  patch: unknown,
  base: Origin,
  count: (pointer: string) => void,
): Steps<void> {
  const children = isJsonObject(value) ? Object.entries(value) : [];
  yield;
  if (children.length === 0) {
    // Before it is a key, for which the whole of it is written.
    count(pointer);
    provenance[pointer] = patch === undefined ? base : 'override';
  }
  for (const [key, child] of children) {
    const childPatch = isJsonObject(patch) && Object.hasOwn(patch, key) ? patch[key] : undefined;
    yield* recordOrigins(provenance, pointer + jsonPointer(key), child, childPatch, base, count);
  }
}
