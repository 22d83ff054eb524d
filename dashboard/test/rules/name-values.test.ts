import { expect, it } from 'vitest';
import { pairsText, readPairs } from '../../src/rules/name-values.ts';

it('reads what it wrote', () => {
  const images = { browser: 'registry.example/browser:1', files: 'files' };
  expect(readPairs(pairsText(images))).toEqual(images);
  expect(readPairs('')).toEqual({});
});

it('takes no line without a name or a value', () => {
  expect(readPairs('browser')).toBeUndefined();
  expect(readPairs('browser =')).toBeUndefined();
});
