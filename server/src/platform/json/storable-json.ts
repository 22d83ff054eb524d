/** Safe for PostgreSQL's jsonb and for recursion. */
const MAX_DEPTH = 64;

/** PostgreSQL cannot store NUL and lone surrogates; they become the replacement character. */
export const storableText = (text: string): string => text.toWellFormed().replaceAll('\0', '\uFFFD');

/** For foreign JSON: applies storableText, and replaces values nested too deep by null. */
export function storable(value: unknown, depth = MAX_DEPTH): unknown {
  if (typeof value === 'string') return storableText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0) return null;
  if (Array.isArray(value)) return value.map((item) => storable(item, depth - 1));
  // Unlike an assignment, fromEntries makes __proto__ an ordinary property.
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [storableText(key), storable(item, depth - 1)]),
  );
}

/** Matches characters that PostgreSQL cannot store, and some that it can. */
const UNSTORABLE = /\\u(?:0000|d[89a-f])/;

/** JSON of `storable(value)`, without a copy if nothing must be replaced. */
export function storableJson(value: unknown): string {
  const text = isDeeperThan(MAX_DEPTH, value) ? undefined : JSON.stringify(value);
  return text === undefined || UNSTORABLE.test(text) ? JSON.stringify(storable(value)) : text;
}

export const isDeeperThan = (depth: number, value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (depth === 0 || Object.values(value).some((item) => isDeeperThan(depth - 1, item)));
