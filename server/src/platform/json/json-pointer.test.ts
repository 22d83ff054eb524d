import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { jsonPointer } from './json-pointer.ts';

it.each([
  [[], ''],
  [['a', 0], '/a/0'],
  [['a/b', 'm~n', ''], '/a~1b/m~0n/'],
  [['~1'], '/~01'],
])('writes %j as %j', (tokens, pointer) => {
  expect(jsonPointer(...tokens)).toBe(pointer);
});

it('can be parsed again', () => {
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[~/01a]*$/)), (tokens) => {
      const read = jsonPointer(...tokens)
        .split('/')
        .slice(1)
        .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
      expect(read).toEqual(tokens);
    }),
  );
});
