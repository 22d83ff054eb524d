import { expect, it } from 'vitest';
import { newKey, open, seal } from './sealing.ts';

it('uses another IV for each seal', () => {
  const key = newKey();
  const sealed = Array.from({ length: 2000 }, () => seal(key, 'the same words', 'a test'));
  // After the version byte.
  const ivs = new Set(sealed.map((one) => one.subarray(1, 13).toString('hex')));
  expect(ivs.size).toBe(2000);
  for (const one of sealed) expect(open(key, one, 'a test').toString()).toBe('the same words');
});
