import { expect, it } from 'vitest';
import { lineDiff } from '../../src/rules/line-diff.ts';

const SIGNS = { same: ' ', gone: '-', new: '+' };
const shown = (before: string, after: string) =>
  lineDiff(before, after).map(({ is, text }) => SIGNS[is] + text);

it.each([
  ['', '', []],
  ['a\nb', 'a\nb', [' a', ' b']],
  ['', 'a', ['+a']],
  ['a\nb\nc', 'a\nx\nc', [' a', '-b', '+x', ' c']],
  ['a\na', 'a', [' a', '-a']],
  ['a\nb\nc\nd', 'b\nd\ne', ['-a', ' b', '-c', ' d', '+e']],
])('of %j and %j', (before, after, lines) => {
  expect(shown(before, after)).toEqual(lines);
});
