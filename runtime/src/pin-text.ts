/** What may stand between two digits and is not seen as anything: marks of direction, joiners, the frame of a keycap emoji. */
const unseen = /[\p{Cf}\uFE0E\uFE0F\u20E3]/gu;

/**
 * What may be a PIN in a message. Digits of any script count, so that no PIN slips through to a log or a model.
 */
const normal = (text: string) => text.normalize('NFKC').replace(unseen, '').trim();

/** The 4 to 12 digits of a message that is a PIN and nothing else ("1234", "12 34", "my pin is 1234"). */
export function pinOf(text: string): string | undefined {
  const digits = normal(text)
    .replace(/^(?:my )?pin(?:[ -]?code)?(?: is)?\s*[:=]?\s*/i, '')
    .replace(/[\s.-]/g, '');
  return /^\d{4,12}$/.test(digits) ? digits : undefined;
}

/** Whether a message may hold a PIN: it is digits without a word, or it speaks of a PIN and has a number of that length. */
export function mayHoldPin(text: string, isWaiting: boolean): boolean {
  const plain = normal(text);
  const speaksOfPin =
    isWaiting || !/\p{L}/u.test(plain) || /pin(?:code|number)?(?![a-z])|passcode|password/i.test(plain);
  return speaksOfPin && /\p{Nd}{4}/u.test(plain.replace(/(?<=\p{Nd})[^\p{L}\p{Nd}]+(?=\p{Nd})/gu, ''));
}
