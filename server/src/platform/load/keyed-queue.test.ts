import { EventEmitter, once } from 'node:events';
import { expect, it } from 'vitest';
import { KeyedQueue } from './keyed-queue.ts';

/** The test ends the work. */
function heldQueue(parallel: number) {
  const done = new EventEmitter();
  const begun: string[] = [];
  const queue = new KeyedQueue(parallel, async (key) => {
    begun.push(key);
    await once(done, key);
  });
  return { queue, begun, finish: (key: string) => done.emit(key) };
}

const turn = () => new Promise(setImmediate);

it('runs a key once at a time, and again when it was added meanwhile', async () => {
  const { queue, begun, finish } = heldQueue(5);
  for (const key of ['a', 'b', 'a']) queue.add(key);
  await turn();
  expect(begun).toEqual(['a', 'b']);
  for (const key of ['a', 'a']) queue.add(key);
  finish('a');
  await turn();
  expect(begun).toEqual(['a', 'b', 'a']);
  finish('a');
  await turn();
  expect(begun).toHaveLength(3);
});

it('runs keys in parallel up to its limit, and drops waiting ones on close', async () => {
  const { queue, begun, finish } = heldQueue(2);
  for (const key of ['a', 'b', 'c', 'd']) queue.add(key);
  await turn();
  expect(begun).toEqual(['a', 'b']);
  finish('a');
  await turn();
  expect(begun).toEqual(['a', 'b', 'c']);
  const closed = queue.close();
  finish('b');
  finish('c');
  await closed;
  queue.add('e');
  await turn();
  expect(begun).toEqual(['a', 'b', 'c']);
});
