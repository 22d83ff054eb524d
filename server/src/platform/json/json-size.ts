export interface JsonSize {
  /** The length of the compact text in UTF-8. */
  bytes: number;
  /** Including objects, arrays and the value itself. */
  values: number;
  /** Levels of objects and arrays; 0 for a scalar. */
  depth: number;
  /** Total characters of the JSON pointers to all values: a long key counts for each value below it. */
  pointers: number;
}

export type Figure = keyof JsonSize;

export const NO_LIMIT: JsonSize = { bytes: Infinity, values: Infinity, depth: Infinity, pointers: Infinity };

/** Figures over the limit. */
export const figuresOver = (size: JsonSize, limit: JsonSize): Figure[] =>
  (Object.keys(limit) as Figure[]).filter((figure) => size[figure] > limit[figure]);

interface Visit {
  value: unknown;
  /** Enclosing objects and arrays. */
  level: number;
  /** Length of its pointer. */
  pointer: number;
}

/**
 * Iterative, because the client decides the depth. Stops when a figure exceeds `limit`; figures are then lower bounds.
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
    // Brackets and commas.
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
