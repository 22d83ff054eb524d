/**
 * Chinese letters, hardly one twice: Punycode, which writes them in ASCII, takes the longer for each the more there are
 * before it.
 */
export const manyLetters = (length: number): string =>
  Array.from({ length }, (_, index) => String.fromCodePoint(0x4e00 + ((index * 7919) % 20_000))).join('');
