/** What a worker's answer to "is this address yours?" means (contract, section 6). */
export type ResponseMeaning = 'yes' | 'no' | 'unclear';

const words = (text: string) => new Set(text.split(' '));
const phrases = (text: string) => new Set(text.split('|'));
const YES = {
  words: words(
    'yes y yep yeah yup ja j jawohl si sí oui ok okay sure accept agree agreed approve approved confirm confirmed correct right 1 true 👍 ✅ ✔',
  ),
  phrases: phrases(
    'yes please|yes it is|yes it is me|yes that is me|yes i confirm|it is me|that is me|i confirm|i agree',
  ),
};
const NO = {
  words: words(
    'no n nope nah nein non nee não nao wrong decline declined deny reject rejected never stop 0 false 👎 ❌ ✖',
  ),
  phrases: phrases(
    'no thanks|no thank you|no it is not|no it is not me|no that is not me|it is not me|that is not me|not me|not mine',
  ),
};

/** Skin tones and presentation selectors, which change how an emoji looks and not what it says. */
const EMOJI_STYLE = /[\u{1F3FB}-\u{1F3FF}]|\uFE0E|\uFE0F/gu;

const normalise = (response: string) =>
  response
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(EMOJI_STYLE, '')
    .replaceAll(/\p{Extended_Pictographic}/gu, ' $& ')
    .replaceAll('’', "'")
    .replaceAll("isn't", 'is not')
    .replaceAll("'s", ' is')
    .replaceAll(/[\s.!,]+/g, ' ')
    .trim();

/** The whole answer has to say it: "yes, who is this?" does not. Case, punctuation and more than one space do not matter. */
export function meaningOf(response: string): ResponseMeaning {
  const answer = normalise(response);
  const said = answer.split(' ');
  const says = (meaning: typeof YES) =>
    meaning.phrases.has(answer) || said.every((word) => meaning.words.has(word));
  if (says(YES)) return 'yes';
  return says(NO) ? 'no' : 'unclear';
}
