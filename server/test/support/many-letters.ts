/** Hardly any letter twice. Punycode takes longer for each letter, the more there are before it. */
export const manyLetters = (length: number): string =>
  Array.from({ length }, (_, index) => String.fromCodePoint(0x4e00 + ((index * 7919) % 20_000))).join('');
