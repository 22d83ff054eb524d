/** What a worker's answer to "is this address yours?" means (contract, section 6). */
export type ResponseMeaning = 'yes' | 'no' | 'unclear';

const YES = new Set(
  'yes y yep yeah yup ja j jawohl si sí oui ok okay sure confirm confirmed correct right 1 true 👍 ✅ ✔'.split(
    ' ',
  ),
);
const NO = new Set(
  'no n nope nah nein non nee não nao wrong reject rejected deny stop 0 false 👎 ❌ ✖'.split(' '),
);

/** Skin tones and presentation selectors, which change how an emoji looks and not what it says. */
const EMOJI_STYLE = /[\u{1F3FB}-\u{1F3FF}]|\uFE0E|\uFE0F/gu;

/** Looked for only where it begins: from each of its characters on it would take the square of a long run's length. */
const CLOSING = /(?<![\s.!,])[\s.!,]+$/;

/** Case, surrounding space and closing punctuation do not matter. */
export function meaningOf(response: string): ResponseMeaning {
  const word = response
    .normalize('NFC')
    .trim()
    .toLowerCase()
    .replaceAll(EMOJI_STYLE, '')
    .replace(CLOSING, '');
  if (YES.has(word)) return 'yes';
  return NO.has(word) ? 'no' : 'unclear';
}
