/** A text as it reads, and where each of its code units stands in the source (and, last, where the source ends). */
export interface View {
  text: string;
  starts: Int32Array | undefined;
}

/** How often a text inside a text inside a text is encoded at most; deeper ones are nobody's accident. */
const MAX_LAYERS = 3;

/** One character as URLs (UTF-8 in percents, RFC 3986) and JSON strings (RFC 8259) write it. */
const ENCODED =
  /%[0-7][\da-f]|%[cd][\da-f]%[89ab][\da-f]|%e[\da-f](?:%[89ab][\da-f]){2}|%f[0-4](?:%[89ab][\da-f]){3}|\\u[\da-f]{4}|\\["\\/bfnrt]/gi;

/** The text, and what it says once URL and JSON encoding are taken off, layer by layer. */
export function* viewsOf(text: string): Generator<View> {
  let view: View | undefined = { text, starts: undefined };
  for (let layer = 0; view && layer <= MAX_LAYERS; layer++) {
    yield view;
    if (layer < MAX_LAYERS) view = decode(view);
  }
}

/** Where a stretch of a view stands in the source. */
export function inSource({ starts }: View, start: number, end: number): [start: number, end: number] {
  return starts ? [starts[start] ?? 0, starts[end] ?? 0] : [start, end];
}

/** @returns undefined when nothing is encoded */
function decode(view: View): View | undefined {
  const { text } = view;
  if (!text.includes('%') && !text.includes('\\')) return undefined;
  const parts: string[] = [];
  const starts = new Int32Array(text.length + 1);
  let length = 0;
  const add = (part: string, from: number, step: 0 | 1) => {
    for (let unit = 0; unit < part.length; unit++)
      starts[length++] = inSource(view, from + unit * step, 0)[0];
    parts.push(part);
  };
  let done = 0;
  for (const match of text.matchAll(ENCODED)) {
    add(text.slice(done, match.index), done, 1);
    add(decodeOne(match[0]), match.index, 0);
    done = match.index + match[0].length;
  }
  if (done === 0) return undefined;
  add(text.slice(done), done, 1);
  starts[length] = inSource(view, text.length, 0)[0];
  return { text: parts.join(''), starts };
}

function decodeOne(encoded: string): string {
  try {
    return encoded.startsWith('%') ? decodeURIComponent(encoded) : (JSON.parse(`"${encoded}"`) as string);
  } catch {
    // Not UTF-8 after all.
    return encoded;
  }
}
