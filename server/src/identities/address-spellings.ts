/** ITU-T E.164 has 15 digits at most. Channels write a number without its plus, people with it. */
const NUMBER = /^(\+?)(\d{7,15})$/;

/**
 * Mobile numbers with a digit that some write and some leave out: Brazil's ninth digit, Mexico's 1 and Argentina's 9 behind
 * the country code. Brazil's landlines (2 to 5) have no ninth digit. The rule also stands in SQL (`address_spellings`).
 */
const VARIANTS: readonly (readonly [longer: RegExp, shorter: RegExp, digit: string])[] = [
  [/^(55\d{2})9([016-9]\d{7})$/, /^(55\d{2})([016-9]\d{7})$/, '9'],
  [/^(52)1(\d{10})$/, /^(52)(\d{10})$/, '1'],
  [/^(54)9(\d{10})$/, /^(54)(\d{10})$/, '9'],
];

/**
 * The spellings of a channel address, the given one first: a phone number also with its plus or without, and in the other
 * national variant where its country has one.
 */
export function spellingsOf(address: string): string[] {
  const [, plus, digits] = NUMBER.exec(address) ?? [];
  if (digits === undefined) return [address];
  const inBothWays = (number: string) => (plus ? [`+${number}`, number] : [number, `+${number}`]);
  const variant = variantOf(digits);
  return [...inBothWays(digits), ...(variant === undefined ? [] : inBothWays(variant))];
}

function variantOf(digits: string): string | undefined {
  for (const [longer, shorter, digit] of VARIANTS) {
    if (longer.test(digits)) return digits.replace(longer, '$1$2');
    if (shorter.test(digits))
      return digits.replace(shorter, (_, front: string, rest: string) => `${front}${digit}${rest}`);
  }
  return undefined;
}
