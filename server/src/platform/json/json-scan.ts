/** Values and nesting of a JSON text, counted without building anything from it. */
interface JsonBounds {
  values: number;
  depth: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const [LIST, END_OF_LIST, OBJECT, END_OF_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d] as const;

/** Safe for recursion, and for the time that reading takes. */
export const JSON_BOUNDS: JsonBounds = { values: 50_000, depth: 100 };

/**
 * The first figure over its bound. Parsing would build all values first, so that a text of a few MiB could hold the
 * event loop for long. Invalid JSON has some figures, too.
 */
export function figureOver(json: Buffer, bounds: JsonBounds): keyof JsonBounds | undefined {
  let values = 1;
  let depth = 0;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at] ?? 0;
    if (byte === QUOTE) {
      at = endOfString(json, at + 1);
    } else if (byte === COMMA) {
      values++;
    } else if (byte === LIST || byte === OBJECT) {
      // The first element has no comma.
      values++;
      depth++;
    } else if (byte === END_OF_LIST || byte === END_OF_OBJECT) {
      depth--;
    }
    if (depth > bounds.depth) return 'depth';
    if (values > bounds.values) return 'values';
  }
  return undefined;
}

/** The place of the closing quote; the end where there is none. */
function endOfString(json: Buffer, from: number): number {
  for (let end = json.indexOf(QUOTE, from); end !== -1; end = json.indexOf(QUOTE, end + 1)) {
    let backslashes = 0;
    while (json[end - 1 - backslashes] === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return end;
  }
  return json.length;
}
