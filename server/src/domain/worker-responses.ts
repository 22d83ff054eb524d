/** What a worker's answer to "is this address yours?" means (contract, section 6). */
export type ResponseMeaning = 'yes' | 'no' | 'unclear';

const WORDS = {
  yes: 'yes y yep yeah yup ja j jawohl si sí oui ok okay sure accept agree agreed approve approved confirm confirmed correct right 1 true 👍 ✅ ✔',
  no: 'no n nope nah nein non nee não nao wrong decline declined deny reject rejected never stop 0 false 👎 ❌ ✖',
};
const PHRASES = {
  yes: "yes please|yes it is|yes it's me|yes that's me|yes i confirm|it's me|that's me|i confirm|i agree",
  no: "no thanks|no thank you|no it's not|no it isn't|no it's not me|no that's not me|it's not me|that's not me|not me|not mine",
};
const meant = (meaning: 'yes' | 'no') =>
  new Set([...WORDS[meaning].split(' '), ...PHRASES[meaning].split('|')]);
const [YES, NO] = [meant('yes'), meant('no')];

/** Skin tones and presentation selectors, which change how an emoji looks and not what it says. */
const EMOJI_STYLE = /[\u{1F3FB}-\u{1F3FF}]|\uFE0E|\uFE0F/gu;

/** The whole answer has to say it: "yes, who is this?" does not. Case, punctuation and more than one space do not matter. */
export function meaningOf(response: string): ResponseMeaning {
  const answer = response
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(EMOJI_STYLE, '')
    .replaceAll('’', "'")
    .replaceAll(/[\s.!,]+/g, ' ')
    .trim();
  if (YES.has(answer)) return 'yes';
  return NO.has(answer) ? 'no' : 'unclear';
}
