/** The fewest digits of a number to call. */
export const MIN_DIGITS = 7;
const PHONE = /^[+\d\s()./\u2010-\u2015-]+$/;
/** A digit, a zero that is not dialled, or an end of a number; characters that group digits are passed over. */
const PIECES = /\d|\(0\)|[^\d\s()./+\u2010-\u2015-]+/g;

/** The fewest digits of a number, without an end of a number between them. */
const ENOUGH = new RegExp(String.raw`(?:\d[\s()./+\u2010-\u2015-]*){${MIN_DIGITS}}`);

/** False where `digitsOf` has no number to show. */
export const mayHoldPhone = (text: string): boolean => text.length >= MIN_DIGITS && ENOUGH.test(text);

/** The digits of a phone number, however it is grouped, without a leading 00; undefined for other text. */
export function phoneDigits(text: string): string | undefined {
  if (!PHONE.test(text)) return undefined;
  const digits = text.replaceAll(/\D/g, '').replace(/^00/, '');
  return digits.length >= MIN_DIGITS ? digits : undefined;
}

/** The country codes of one and of two digits (ITU-T E.164, list of assigned codes); all others have three. */
const COUNTRY_CODE = /^(?:[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})/;

/** A number's digits as they are dialled: from abroad, and inside its country with a trunk zero and without. */
export function dialledDigits(digits: string): string[] {
  const national = digits.startsWith('0') ? digits.slice(1) : digits.replace(COUNTRY_CODE, '');
  return national.length < MIN_DIGITS ? [digits] : [...new Set([digits, `0${national}`, national])];
}

/** A text's digits with a space wherever a number cannot go on, and where each stands in the text. */
export function digitsOf(text: string): { digits: string; places: Int32Array } {
  const places = new Int32Array(text.length);
  let digits = '';
  for (const match of text.matchAll(PIECES)) {
    if (match[0] === '(0)') continue;
    places[digits.length] = match.index;
    digits += /\d/.test(match[0]) ? match[0] : ' ';
  }
  return { digits, places };
}
