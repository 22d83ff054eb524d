import type { Origin } from './plan-lines.ts';
import type { JsonObject } from './recipe-patch.ts';

const ORIGINS: readonly Origin[] = ['platform', 'recipe', 'override'];

/** Where parts of a configuration come from, by JSON pointer. */
export const originsOf = (provenance: JsonObject): Readonly<Record<string, Origin>> =>
  Object.fromEntries(
    Object.entries(provenance).flatMap(([pointer, value]) => {
      const origin = ORIGINS.find((each) => each === value);
      return origin === undefined ? [] : [[pointer, origin]];
    }),
  );
