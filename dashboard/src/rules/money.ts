import { plural } from './words.ts';

const format = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
const fine = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  minimumSignificantDigits: 1,
  maximumSignificantDigits: 2,
});

/** USD from decimal text; sums below a cent keep two digits that count. */
export function money(cost: string | number): string {
  const value = Number(cost);
  return value !== 0 && Math.abs(value) < 0.01 ? fine.format(value) : format.format(value);
}

/** Unknown is not zero: "$4.10 + 120 calls without a price". */
export function costWords(cost: string | number | null, unpriced = 0): string {
  const calls = `${plural(unpriced, 'call')} without a price`;
  if (cost === null || (Number(cost) === 0 && unpriced > 0)) return unpriced > 0 ? calls : 'no price';
  return unpriced > 0 ? `${money(cost)} + ${calls}` : money(cost);
}
