import { expect, it } from 'vitest';
import { Mentions } from './mentions.ts';

// save-from-instance.test.ts proves that no mention is missed.

it('excludes nearly all values that the texts do not mention', () => {
  const texts = Array.from(
    { length: 200 },
    (_, n) => `Ask agent${n}@example.com, +49 30 ${4_000_000 + n}, “${n}”.`,
  );
  const mentions = new Mentions(texts);
  const holds = (kind: 'email' | 'phone_number', text: string) => mentions.mayMention({ kind, text });
  expect([holds('email', 'Agent7@example.com'), holds('phone_number', '0049 (30) 4000007')]).toEqual([
    true,
    true,
  ]);
  const others = Array.from({ length: 10_000 }, (_, n) => [
    holds('email', `worker${n}@example.com`),
    holds('phone_number', `+49 30 ${5_000_000 + 7 * n}`),
  ]);
  expect(others.flat().filter(Boolean).length).toBeLessThan(20);
});
