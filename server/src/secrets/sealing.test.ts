import { expect, it } from 'vitest';
import { newKey, open, seal } from './sealing.ts';

it('seals each time under another IV, however often', () => {
  const key = newKey();
  const sealed = Array.from({ length: 2000 }, () => seal(key, 'the same words', 'a test'));
  // Behind the byte of the version.
  const ivs = new Set(sealed.map((one) => one.subarray(1, 13).toString('hex')));
  expect(ivs.size).toBe(2000);
  for (const one of sealed) expect(open(key, one, 'a test').toString()).toBe('the same words');
});
