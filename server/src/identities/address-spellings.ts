/** At most 15 digits (ITU-T E.164). Channels omit the plus, people write it. */
const NUMBER = /^(\+?)(\d{7,15})$/;

/**
 * Optional digits: Brazil's ninth (not in landlines, 2 to 5), Mexico's 1 and Argentina's 9 after the country code. SQL
 * has the same rule (`address_spellings`).
 */
const VARIANTS: readonly (readonly [longer: RegExp, shorter: RegExp, digit: string])[] = [
  [/^(55\d{2})9([016-9]\d{7})$/, /^(55\d{2})([016-9]\d{7})$/, '9'],
  [/^(52)1(\d{10})$/, /^(52)(\d{10})$/, '1'],
  [/^(54)9(\d{10})$/, /^(54)(\d{10})$/, '9'],
];

/** The given spelling first, then with or without plus, then the country's other variant. */
export function spellingsOf(address: string): string[] {
  const [, plus, digits] = NUMBER.exec(address) ?? [];
  if (digits === undefined) return [address];
  const withOptionalPlus = (number: string) => (plus ? [`+${number}`, number] : [number, `+${number}`]);
  const variant = findVariant(digits);
  return [...withOptionalPlus(digits), ...(variant === undefined ? [] : withOptionalPlus(variant))];
}

function findVariant(digits: string): string | undefined {
  for (const [longer, shorter, digit] of VARIANTS) {
    if (longer.test(digits)) return digits.replace(longer, '$1$2');
    if (shorter.test(digits))
      return digits.replace(shorter, (_, front: string, rest: string) => `${front}${digit}${rest}`);
  }
  return undefined;
}
