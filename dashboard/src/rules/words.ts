const SMALL = [
  'No',
  'One',
  'Two',
  'Three',
  'Four',
  'Five',
  'Six',
  'Seven',
  'Eight',
  'Nine',
  'Ten',
  'Eleven',
  'Twelve',
];

/** A number at the beginning of a sentence: a word up to twelve. */
export const numberWord = (n: number): string => SMALL[n] ?? count(n);

export const count = (n: number): string => n.toLocaleString('en-US');

/** `plural(3, 'agent')` is "3 agents". */
export const plural = (n: number, one: string, many = `${one}s`): string =>
  `${count(n)} ${n === 1 ? one : many}`;

/** "a, b and c". */
export const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words[words.length - 1]}`;

/** `waiting_for_approval` as people read it: "Waiting for approval". */
export const sentence = (slug: string): string => {
  const words = slug.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** Binary units, as memory and files are counted. */
export const bytes = (n: number): string => {
  if (n < 1024) return `${n} B`;
  const units = ['KiB', 'MiB', 'GiB'];
  const power = Math.min(Math.floor(Math.log2(n) / 10), units.length);
  const value = n / 1024 ** power;
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${units[power - 1]}`;
};
