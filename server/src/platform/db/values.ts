import pg from 'pg';

const { builtins } = pg.types;

const asNumber = (text: string) => Number(text);
const asText = (text: string) => text;

/**
 * Parsers that differ from pg's: a date stays text, int8 becomes a number (our counts and sizes are below 2^53), numeric
 * stays exact text. timestamptz is a Date, as in pg.
 */
const parsers = new Map<number, (text: string) => unknown>([
  [builtins.DATE, asText],
  [builtins.INT8, asNumber],
  [builtins.NUMERIC, asText],
]);

/** Reads a value of a column type from PostgreSQL's text. */
export function parserOf(typeId: number): (text: string) => unknown {
  let parser = parsers.get(typeId);
  if (!parser) {
    parser = pg.types.getTypeParser(typeId, 'text') as (text: string) => unknown;
    parsers.set(typeId, parser);
  }
  return parser;
}

/** A parameter in PostgreSQL's text format; bytes stay bytes. Throws a TypeError for objects. */
export function toText(value: unknown): string | Buffer | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' || Buffer.isBuffer(value)) return value;
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint')
    return String(value);
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return arrayLiteral(value);
  throw new TypeError('An object as a parameter has to be passed through json()');
}

function arrayLiteral(items: readonly unknown[]): string {
  const parts = items.map((item) => {
    const text = toText(item);
    if (text === null) return 'NULL';
    if (Buffer.isBuffer(text)) return `"\\\\x${text.toString('hex')}"`;
    return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
  });
  return `{${parts.join(',')}}`;
}
