export interface Decoded {
  readonly text: string;
  /** The first line, from 1, whose bytes are no text; its characters are replaced by U+FFFD. */
  readonly badLine?: number;
}

const NEWLINE = 0x0a;

/** UTF-8, or UTF-16 where a byte order mark says so. */
export function decodeText(bytes: Uint8Array): Decoded {
  const encoding = encodingOf(bytes);
  // Drops the byte order mark.
  const text = new TextDecoder(encoding).decode(bytes);
  const badLine = encoding === 'utf-8' ? badLineOf(bytes) : lineOf(text, text.search(/[\0\uFFFD]/));
  return badLine === undefined ? { text } : { text, badLine };
}

function encodingOf(bytes: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8';
}

/** UTF-16 without its mark is UTF-8 with NULs. */
function badLineOf(bytes: Uint8Array): number | undefined {
  if (isText(bytes)) return undefined;
  for (let from = 0, line = 1; from < bytes.length; line++) {
    const end = bytes.indexOf(NEWLINE, from);
    const part = bytes.subarray(from, end < 0 ? bytes.length : end);
    if (!isText(part)) return line;
    from += part.length + 1;
  }
  return undefined;
}

function isText(bytes: Uint8Array): boolean {
  if (bytes.includes(0)) return false;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

const lineOf = (text: string, at: number): number | undefined =>
  at < 0 ? undefined : text.slice(0, at).split('\n').length;
