/** Shallow enough for PostgreSQL's jsonb and for recursion. */
const MAX_DEPTH = 64;

/** Replaces NUL and lone surrogates, which PostgreSQL cannot store, by the replacement character. */
export const storableText = (text: string): string => text.toWellFormed().replaceAll('\0', '\uFFFD');

/** Makes foreign JSON storable: texts as by storableText, null for values nested too deep. */
export function storable(value: unknown, depth = MAX_DEPTH): unknown {
  if (typeof value === 'string') return storableText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0) return null;
  if (Array.isArray(value)) return value.map((item) => storable(item, depth - 1));
  // Unlike an assignment, fromEntries makes an ordinary property of the key __proto__.
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [storableText(key), storable(item, depth - 1)]),
  );
}

/** JSON.stringify's form of a character that PostgreSQL cannot store, and of some that it can. */
const UNSTORABLE = /\\u(?:0000|d[89a-f])/;

/** The JSON text of `storable(value)`, without a copy where the value is storable as it stands. */
export function storableJson(value: unknown): string {
  const text = isDeeperThan(MAX_DEPTH, value) ? undefined : JSON.stringify(value);
  return text === undefined || UNSTORABLE.test(text) ? JSON.stringify(storable(value)) : text;
}

const isDeeperThan = (depth: number, value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (depth === 0 || Object.values(value).some((item) => isDeeperThan(depth - 1, item)));
