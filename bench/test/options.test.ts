import { expect, it } from 'vitest';
import { requireKnown } from '../src/options.ts';

const things = [{ name: 'get' }, { name: 'list' }];

it('lists the workloads when it refuses an unknown one', () => {
  expect(() => requireKnown('workloads', ['get', 'gett'], things)).toThrow(
    '--workloads does not know gett; there are get, list',
  );
});

it.each([[[]], [['list']], [['list', 'get']]])('takes %j', (names) => {
  expect(() => requireKnown('workloads', names, things)).not.toThrow();
});
