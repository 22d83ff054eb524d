import { expect, it } from 'vitest';
import { requireKnown } from '../src/options.ts';

const things = [{ name: 'get' }, { name: 'list' }];

it('refuses the name of a workload that there is not, and says which there are', () => {
  expect(() => requireKnown('workloads', ['get', 'gett'], things)).toThrow(
    '--workloads does not know gett; there are get, list',
  );
});

it.each([[[]], [['list']], [['list', 'get']]])('takes %j', (names) => {
  expect(() => requireKnown('workloads', names, things)).not.toThrow();
});
