/** The channel's limit, in UTF-16 units. */
const MAX_LENGTH = 4096;
const SENTENCE_END = /[.!?…。！？]["'”’)\]]*\s+|\n+/gu;

/** Splits at ends of sentences, else between words, else between characters. */
export function splitText(text: string, maxLength = MAX_LENGTH): string[] {
  const parts: string[] = [];
  let rest = text.toWellFormed();
  while (rest.length > maxLength) {
    const end =
      lastSentenceEnd(rest, maxLength) ?? lastSpace(rest, maxLength) ?? wholeCharacters(rest, maxLength);
    parts.push(rest.slice(0, end).trimEnd());
    rest = rest.slice(end).trimStart();
  }
  if (rest !== '' || parts.length === 0) parts.push(rest);
  return parts.filter((part, index) => part !== '' || index === 0);
}

function lastSentenceEnd(text: string, maxLength: number): number | undefined {
  const ends = [...text.slice(0, maxLength + 1).matchAll(SENTENCE_END)].map(
    ({ index, 0: found }) => index + found.trimEnd().length,
  );
  return ends.findLast((end) => end > 0 && end <= maxLength);
}

function lastSpace(text: string, maxLength: number): number | undefined {
  const at = text.slice(0, maxLength + 1).search(/\s\S*$/u);
  return at > 0 ? at : undefined;
}

const wholeCharacters = (text: string, maxLength: number) =>
  /[\uD800-\uDBFF]/.test(text.charAt(maxLength - 1)) ? maxLength - 1 : maxLength;
