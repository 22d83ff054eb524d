export const MIN_DIGITS = 7;
const PHONE = /^[+\d\s()./\u2010-\u2015-]+$/;
/** Grouping characters are skipped, and zeros in brackets are not dialled. */
const PIECES = /\d|\(0\)|[^\d\s()./+\u2010-\u2015-]+/g;

/** Without an end of a number between the digits. */
const ENOUGH = new RegExp(String.raw`(?:\d[\s()./+\u2010-\u2015-]*){${MIN_DIGITS}}`);

export const mayContainPhone = (text: string): boolean => text.length >= MIN_DIGITS && ENOUGH.test(text);

/** Ignores grouping and a leading 00; undefined for other text. */
export function phoneDigits(text: string): string | undefined {
  if (!PHONE.test(text)) return undefined;
  const digits = text.replaceAll(/\D/g, '').replace(/^00/, '');
  return digits.length >= MIN_DIGITS ? digits : undefined;
}

/** Country codes of one and two digits (ITU-T E.164); all others have three. */
const COUNTRY_CODE = /^(?:[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})/;

/** From abroad, and inside the country with and without trunk zero. */
export function dialledDigits(digits: string): string[] {
  const national = digits.startsWith('0') ? digits.slice(1) : digits.replace(COUNTRY_CODE, '');
  return national.length < MIN_DIGITS ? [digits] : [...new Set([digits, `0${national}`, national])];
}

/** A text's digits with their positions; a space separates numbers. */
export function extractDigits(text: string): { digits: string; places: Int32Array } {
  const places = new Int32Array(text.length);
  let digits = '';
  for (const match of text.matchAll(PIECES)) {
    if (match[0] === '(0)') continue;
    places[digits.length] = match.index;
    digits += /\d/.test(match[0]) ? match[0] : ' ';
  }
  return { digits, places };
}
