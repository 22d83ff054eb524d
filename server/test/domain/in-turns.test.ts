import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { inTurns, type Steps } from '../../src/domain/in-turns.ts';

function* busyFor(ms: number): Steps<string> {
  for (const end = performance.now() + ms; performance.now() < end; ) yield;
  return 'done';
}

function* broken(): Steps<never> {
  yield;
  throw new Error('broken');
}

it('lets others have the event loop all the while', async () => {
  const turns: string[] = [];
  const long = inTurns(busyFor(100)).then((result) => turns.push(result));
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
