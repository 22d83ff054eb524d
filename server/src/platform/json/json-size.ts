/** How large a JSON value is. */
export interface JsonSize {
  /** Bytes of its compact text in UTF-8. */
  bytes: number;
  /** All values in it, objects and arrays as well, and the value itself. */
  values: number;
  /** Levels of objects and arrays; 0 for a value that is neither. */
  depth: number;
  /** Characters of the JSON pointers to all values together: one long key counts for each value below it. */
  pointers: number;
}

export type Figure = keyof JsonSize;

const NO_LIMIT: JsonSize = { bytes: Infinity, values: Infinity, depth: Infinity, pointers: Infinity };

/** The figures in which a value is over the limit. */
export const figuresOver = (size: JsonSize, limit: JsonSize): Figure[] =>
  (Object.keys(limit) as Figure[]).filter((figure) => size[figure] > limit[figure]);

interface Visit {
  value: unknown;
  /** Objects and arrays around it. */
  level: number;
  /** Characters of its pointer. */
  pointer: number;
}

/**
 * Measures a JSON value in one pass with a stack of its own, because the client decides how deep a value is nested.
 * Stops as soon as one figure is over `limit`; the figures are then lower bounds.
 */
export function sizeOf(root: unknown, limit: JsonSize = NO_LIMIT): JsonSize {
  const size: JsonSize = { bytes: 0, values: 1, depth: 0, pointers: 0 };
  const isWithin = () =>
    size.bytes <= limit.bytes &&
    size.values <= limit.values &&
    size.depth <= limit.depth &&
    size.pointers <= limit.pointers;
  const stack: Visit[] = [{ value: root, level: 0, pointer: 0 }];
  for (let visit = stack.pop(); visit && isWithin(); visit = stack.pop()) {
    const { value, pointer } = visit;
    size.pointers += pointer;
    if (typeof value !== 'object' || value === null) {
      size.bytes += textBytes(value);
      continue;
    }
    const level = visit.level + 1;
    size.depth = Math.max(size.depth, level);
    const children = Object.entries(value);
    size.values += children.length;
    // The brackets and the commas.
    size.bytes += 2 + Math.max(0, children.length - 1);
    if (!isWithin()) break;
    const isArray = Array.isArray(value);
    for (const [key, child] of children) {
      if (!isArray) size.bytes += textBytes(key) + 1;
      stack.push({ value: child, level, pointer: pointer + key.length + 1 });
    }
  }
  return size;
}

const textBytes = (scalar: unknown): number => Buffer.byteLength(JSON.stringify(scalar));
