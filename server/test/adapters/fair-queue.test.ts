import { expect, it } from 'vitest';
import { FairQueue } from '../../src/adapters/fair-queue.ts';

const fill = (queue: FairQueue<string>, ...items: string[]) =>
  items.map((item) => queue.push(item.slice(0, 1), item));
const empty = (queue: FairQueue<string>) => {
  const items: string[] = [];
  for (let item = queue.shift(); item !== undefined; item = queue.shift()) items.push(item);
  return items;
};

it('takes from each line in turn, in order within a line', () => {
  const queue = new FairQueue<string>(10);
  fill(queue, 'a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1');
  expect(queue.shift()).toBe('a1');
  fill(queue, 'd1');
  expect(empty(queue)).toEqual(['b1', 'c1', 'a2', 'd1', 'b2', 'a3', 'a4']);
  expect(queue.shift()).toBeUndefined();
});

it('lets one line fill it, and drops from the longest line for others', () => {
  const queue = new FairQueue<string>(4);
  expect(fill(queue, 'a1', 'a2', 'a3', 'a4')).toEqual([undefined, undefined, undefined, undefined]);
  expect(fill(queue, 'a5', 'b1', 'a6', 'b2')).toEqual(['a5', 'a4', 'a6', 'a3']);
  // A line of equal length does not give way.
  expect(fill(queue, 'b3', 'a7', 'c1', 'd1', 'e1')).toEqual(['b3', 'a7', 'a2', 'b2', 'e1']);
  expect(empty(queue)).toEqual(['a1', 'b1', 'c1', 'd1']);
  expect(fill(queue, 'a1', 'a2', 'a3', 'a4', 'a5')).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    'a5',
  ]);
});
