import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { inTurns, type Steps } from './in-turns.ts';

/** For as long as that takes, but not for ever. */
function* busyUntil(isDone: () => boolean): Steps<string> {
  for (const end = performance.now() + 10_000; !isDone() && performance.now() < end; ) yield;
  return 'done';
}

function* broken(): Steps<never> {
  yield;
  throw new Error('broken');
}

it('lets others have the event loop all the while', async () => {
  const turns: string[] = [];
  const long = inTurns(busyUntil(() => turns.length > 5)).then((result) => turns.push(result));
  while (!turns.includes('done')) {
    await setImmediate();
    turns.push('another');
  }
  await long;
  expect(turns.length).toBeGreaterThan(5);
});

it('fails as its steps do', async () => {
  await expect(inTurns(broken())).rejects.toThrow('broken');
});
