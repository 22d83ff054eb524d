import { expect, it } from 'vitest';
import { toCsv } from '../../src/rules/csv.ts';

it('quotes what has to be', () => {
  expect(toCsv([['Silva, Ana', 'says "hello"\nand goes']])).toBe('"Silva, Ana","says ""hello""\nand goes"');
});

it('makes a cell text that a spreadsheet would run', () => {
  expect(toCsv([['=1+1', null, 3]])).toBe("'=1+1,,3");
});
