import { expect, it } from 'vitest';
import { readBatches } from '../../src/rules/rollout-words.ts';

it.each([
  ['5, 25, 100', [5, 25, 100]],
  ['100', [100]],
  [' 10 50,100, ', [10, 50, 100]],
  ['', []],
])('reads the batches of %j', (text, batches) => {
  expect(readBatches(text)).toEqual(batches);
});
