/** One element of DER (X.690). */
export interface Element {
  tag: number;
  content: Buffer;
  /** With its tag and length. */
  whole: Buffer;
}

/**
 * The elements that stand one after the other in the bytes; undefined where they are none. What is inside of them is not
 * looked at: however it is nested, it costs nothing.
 */
export function elementsIn(bytes: Buffer): Element[] | undefined {
  const elements: Element[] = [];
  for (let at = 0; at < bytes.length; ) {
    const element = elementAt(bytes, at);
    if (!element) return undefined;
    elements.push(element);
    at += element.whole.length;
  }
  return elements;
}

/** The same where they have these tags, else none. */
export function elementsTagged(bytes: Buffer | undefined, ...tags: number[]): Element[] {
  const elements = bytes && elementsIn(bytes);
  const isSo = elements?.length === tags.length && elements.every(({ tag }, index) => tag === tags[index]);
  return isSo ? elements : [];
}

function elementAt(bytes: Buffer, start: number): Element | undefined {
  const tag = bytes[start] ?? 0;
  const first = bytes[start + 1] ?? 0;
  // Up to 127 it is the length itself, else how many octets the length has. DER always says it.
  const octets = first < 0x80 ? 0 : first & 0x7f;
  const from = start + 2 + octets;
  if (first === 0x80 || octets > 3 || from > bytes.length) return undefined;
  const length = octets === 0 ? first : bytes.readUIntBE(start + 2, octets);
  const end = from + length;
  if (end > bytes.length) return undefined;
  return { tag, content: bytes.subarray(from, end), whole: bytes.subarray(start, end) };
}
