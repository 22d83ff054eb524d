/** Controls and formatting characters, of which some change how others read: bidirectional ones, zero widths. */
const HIDDEN = /(?![\n\t])[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** A name or host in which nothing hides: a hidden character is shown as its number, "[U+202E]". */
export const visible = (text: string): string =>
  text.replace(
    HIDDEN,
    (each) => `[U+${(each.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`,
  );

const URL_IN_TEXT = /\bhttps?:\/\/[^\s<>"'`{}|\\^]+/gu;
/** Punctuation behind an address belongs to the sentence. */
const TRAILING = /[.,;:!?)\]]+$/u;

export interface TextPart {
  text: string;
  /** Only for http and https. */
  href?: string;
  host?: string;
}

/** Cuts a text of others into words and addresses; an address names its host. */
export function withLinks(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let from = 0;
  for (const match of text.matchAll(URL_IN_TEXT)) {
    const address = match[0].replace(TRAILING, '');
    const host = hostOf(address);
    if (host === undefined) continue;
    if (match.index > from) parts.push({ text: text.slice(from, match.index) });
    parts.push({ text: address, href: address, host });
    from = match.index + address.length;
  }
  if (from < text.length) parts.push({ text: text.slice(from) });
  return parts;
}

function hostOf(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).host : undefined;
}
