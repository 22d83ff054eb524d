import { expect, it } from 'vitest';
import type { TenantQueryable } from '../platform/db/queryable.ts';
import { addReply, openReplies, type ReplyKeyring } from './sealed-replies.ts';

/** Seals nothing. */
const keyring: ReplyKeyring = {
  seal: (_q, text) => Promise.resolve(Buffer.from(text)),
  open: (_q, sealed) => Promise.resolve(sealed.toString()),
};
const q = {} as TenantQueryable;

async function keep(...replies: [string, string][]) {
  let sealed: Buffer | null = null;
  for (const [name, reply] of replies)
    sealed = await addReply(keyring, q, { sealed, context: 'x' }, { name, reply });
  return openReplies(keyring, q, sealed, 'x');
}

it('keeps the last reply of a name', async () => {
  expect(await keep(['a', '1'], ['b', '2'], ['a', '3'])).toEqual({ b: '2', a: '3' });
});

it('keeps 4,096 characters of a reply, and the newest replies up to 32 KiB', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `n${index}`);
  const kept = await keep(...names.map((name): [string, string] => [name, 'x'.repeat(100_000)]));
  expect(Object.keys(kept)).toEqual(names.slice(-7));
  expect(new Set(Object.values(kept))).toEqual(new Set(['x'.repeat(4096)]));
});
