import { expect, it } from 'vitest';
import { inTurns } from '../platform/load/in-turns.ts';
import { Mentions } from './mentions.ts';

// That none is missed is told by capture.test.ts, whatever is planted.

it('passes over nearly all that a configuration does not mention', async () => {
  const texts = Array.from(
    { length: 200 },
    (_, n) => `Ask agent${n}@example.com, +49 30 ${4_000_000 + n}, “${n}”.`,
  );
  const mentions = await inTurns(Mentions.in(texts));
  const holds = (kind: 'email' | 'phone_number', text: string) => mentions.mayHold({ kind, text });
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
