import { EventEmitter, once } from 'node:events';
import { expect, it } from 'vitest';
import { KeyedQueue } from './keyed-queue.ts';

/** A queue whose work ends when it is told. */
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

it('does one piece of work of a key at a time, and once more when it was asked meanwhile', async () => {
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

it('works in parallel up to its limit, and drops what waits when it closes', async () => {
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
