/** Direction marks, joiners and the frame of a keycap emoji may stand between digits. */
const invisible = /[\p{Cf}\uFE0E\uFE0F\u20E3]/gu;

/** Normalizes digits of any script, so that no PIN reaches a log or a model. */
const normal = (text: string) => text.normalize('NFKC').replace(invisible, '').trim();

/** The 4 to 12 digits of a message that is only a PIN ("1234", "12 34", "my pin is 1234"). */
export function pinOf(text: string): string | undefined {
  const digits = normal(text)
    .replace(/^(?:my )?pin(?:[ -]?code)?(?: is)?\s*[:=]?\s*/i, '')
    .replace(/[\s.-]/g, '');
  return /^\d{4,12}$/.test(digits) ? digits : undefined;
}

/** At least four digits, and either no letters or a word such as "PIN". */
export function mayHoldPin(text: string, isWaiting: boolean): boolean {
  const plain = normal(text);
  const speaksOfPin =
    isWaiting || !/\p{L}/u.test(plain) || /pin(?:code|number)?(?![a-z])|passcode|password/i.test(plain);
  return speaksOfPin && /\p{Nd}{4}/u.test(plain.replace(/(?<=\p{Nd})[^\p{L}\p{Nd}]+(?=\p{Nd})/gu, ''));
}
