import { isUtf8 } from 'node:buffer';

interface View {
  text: string;
  /** Position of each code unit in the source, then the source's end; undefined for the source itself. */
  starts: Int32Array | undefined;
}

/** Deeper nesting is no accident. */
const MAX_LAYERS = 3;

/** A character as URLs (RFC 3986) and JSON (RFC 8259) encode it. */
const ENCODED =
  /%[0-7][\da-f]|%[cd][\da-f]%[89ab][\da-f]|%e[\da-f](?:%[89ab][\da-f]){2}|%f[0-4](?:%[89ab][\da-f]){3}|\\u[\da-f]{4}|\\["\\/bfnrt]/gi;

/** As in headers (RFC 7617), JSON and URLs; shorter runs cannot contain a known value. */
const BASE64_ALPHABETS = [/[A-Za-z\d+/]{8,}={0,2}/g, /[A-Za-z\d_-]{8,}={0,2}/g];

const CONTROL = /[^\P{Cc}\s]/u;

/** `from` maps to the position in the encoded text. */
interface Decoded {
  text: string;
  from: (unit: number) => number;
}

/** Removes URL and JSON encoding layer by layer, and also decodes each layer's base64. */
export function* decodedViews(text: string): Generator<View> {
  let view: View | undefined = { text, starts: undefined };
  for (let layer = 0; view && layer <= MAX_LAYERS; layer++) {
    yield view;
    for (const alphabet of BASE64_ALPHABETS) {
      const read = decode(view, alphabet, decodeBase64);
      if (read) yield read;
    }
    if (layer < MAX_LAYERS) view = removeEscapes(view);
  }
}

function removeEscapes(view: View): View | undefined {
  const { text } = view;
  return text.includes('%') || text.includes('\\') ? decode(view, ENCODED, decodeOne) : undefined;
}

export function toSourceRange({ starts }: View, start: number, end: number): [start: number, end: number] {
  return starts ? [starts[start] ?? 0, starts[end] ?? 0] : [start, end];
}

function decode(
  view: View,
  encoded: RegExp,
  decodeMatch: (match: string) => Decoded | undefined,
): View | undefined {
  const { text } = view;
  const parts: string[] = [];
  const starts: number[] = [];
  const add = (part: string, from: (unit: number) => number) => {
    for (let unit = 0; unit < part.length; unit++) starts.push(toSourceRange(view, from(unit), 0)[0]);
    parts.push(part);
  };
  let done = 0;
  const addUpTo = (end: number) => add(text.slice(done, end), (unit) => done + unit);
  for (const { 0: match, index } of text.matchAll(encoded)) {
    const decoded = decodeMatch(match);
    if (!decoded) continue;
    addUpTo(index);
    add(decoded.text, (unit) => index + decoded.from(unit));
    done = index + match.length;
  }
  if (done === 0) return undefined;
  addUpTo(text.length);
  starts.push(toSourceRange(view, text.length, 0)[0]);
  return { text: parts.join(''), starts: Int32Array.from(starts) };
}

const atStart = () => 0;
/** Three bytes are four characters. */
const atByte = (byte: number) => Math.floor((byte * 4) / 3);

function decodeOne(encoded: string): Decoded {
  try {
    const isUrl = encoded.startsWith('%');
    const text = isUrl ? decodeURIComponent(encoded) : (JSON.parse(`"${encoded}"`) as string);
    return { text, from: atStart };
  } catch {
    return { text: encoded, from: atStart };
  }
}

/** undefined unless UTF-8 text comes out: long words look like base64, but hardly any decodes to text. */
function decodeBase64(run: string): Decoded | undefined {
  const bytes = Buffer.from(run, 'base64');
  if (!isUtf8(bytes)) return undefined;
  const text = bytes.toString();
  if (CONTROL.test(text)) return undefined;
  if (text.length === bytes.length) return { text, from: atByte };
  const starts = byteStarts(text);
  return { text, from: (unit) => atByte(starts[unit] ?? 0) };
}

/** Offsets in UTF-8; each half of a surrogate pair counts two bytes. */
function byteStarts(text: string): Int32Array {
  const starts = new Int32Array(text.length);
  let byte = 0;
  for (let unit = 0; unit < text.length; unit++) {
    starts[unit] = byte;
    const code = text.charCodeAt(unit);
    const isHalf = code >= 0xd800 && code < 0xe000;
    byte += code < 0x80 ? 1 : code < 0x800 || isHalf ? 2 : 3;
  }
  return starts;
}
