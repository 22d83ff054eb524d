import { expect, it } from 'vitest';
import { chainWords } from '../../src/rules/chain-words.ts';

const WHOLE = { valid: true, checked: 1204, first_invalid: null, fault: null, last_hash: 'aa' };

it('says that a chain is whole', () => {
  expect(chainWords(WHOLE)).toBe(
    'All 1,204 rows are as they were written, in their order, and none is missing.',
  );
  expect(chainWords({ ...WHOLE, checked: 0 })).toContain('empty');
});

it('names the first row that is not as it was', () => {
  const words = chainWords({ ...WHOLE, valid: false, checked: 16, first_invalid: 17, fault: 'row_missing' });
  expect(words).toMatch(/^Row 17 is missing\. Before it, 16 rows are intact\./);
});
