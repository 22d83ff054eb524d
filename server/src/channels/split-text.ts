/** The channel's limit, in UTF-16 units. */
const MAX_LENGTH = 4096;
/** The following text tells if a sentence has ended: "e.g. this" goes on. */
const LOOK_AHEAD = 64;
/** Words are looked for so far before the limit: scripts without spaces need a dictionary, which is slow. */
const LOOK_BACK = 256;
/** Ends that Unicode's rules leave out: dots, the Greek question mark, the Tibetan shad, and any before a small letter. */
const LOOSE_END = /[.!?…‥\u037e།༎]["'”’»)\]」』）]*(?=\s)/gu;

/** A bracket that opens belongs to the next sentence. */
const NEXT_BEGINS = /[\p{Ps}\s]{1,99}$/u;

const segmenter = (granularity: Intl.SegmenterOptions['granularity']) =>
  new Intl.Segmenter('und', { granularity });
const [SENTENCES, WORDS, CHARACTERS] = [segmenter('sentence'), segmenter('word'), segmenter('grapheme')];

/** Splits at ends of sentences of any script, else between words, else between characters as people see them. */
export function splitText(text: string, maxLength = MAX_LENGTH): string[] {
  const parts: string[] = [];
  let rest = text.toWellFormed();
  while (rest.length > maxLength) {
    const start = rest.slice(0, maxLength + LOOK_AHEAD);
    const end =
      lastSentenceEnd(start, maxLength) ??
      lastSpace(start, maxLength) ??
      lastOf(WORDS, start, maxLength) ??
      lastOf(CHARACTERS, start, maxLength) ??
      wholeCodePoints(start, maxLength);
    parts.push(rest.slice(0, end).trimEnd());
    rest = rest.slice(end).trimStart();
  }
  const said = [...parts, rest].filter((part) => part !== '');
  return said.length > 0 ? said : [''];
}

/** "e.g." ends a sentence only where nothing better is near. */
function lastSentenceEnd(start: string, maxLength: number): number | undefined {
  const ends = [...SENTENCES.segment(start)].map(
    ({ segment, index }) => index + segment.replace(NEXT_BEGINS, '').length,
  );
  const loose = [...start.matchAll(LOOSE_END)].map(({ 0: found, index }) => index + found.length);
  const end = last(ends, maxLength);
  return end !== undefined && end > maxLength / 2 ? end : last([...ends, ...loose], maxLength);
}

/** A space far in front would leave a part almost empty, as in a script without spaces. */
function lastSpace(start: string, maxLength: number): number | undefined {
  const at = start.slice(0, maxLength + 1).search(/\s\S*$/u);
  return at > maxLength / 2 ? at : undefined;
}

function lastOf(segments: Intl.Segmenter, start: string, maxLength: number): number | undefined {
  const from = Math.max(0, maxLength - LOOK_BACK);
  const ends = [...segments.segment(start.slice(from))].map(
    ({ segment, index }) => from + index + segment.length,
  );
  return last(ends, maxLength);
}

function last(ends: readonly number[], maxLength: number): number | undefined {
  const end = Math.max(0, ...ends.filter((one) => one <= maxLength));
  return end > 0 ? end : undefined;
}

const wholeCodePoints = (start: string, maxLength: number) =>
  /[\uD800-\uDBFF]/.test(start.charAt(maxLength - 1)) ? maxLength - 1 : maxLength;
