import { expect, it } from 'vitest';
import { boundsOf } from '../../src/rules/bounds.ts';

it('gives an input the bounds of its field, without a pattern that browsers refuse', () => {
  expect(boundsOf({ required: true, maxLength: 200, minimum: 1, pattern: '^[A-Z]{2}$' })).toEqual({
    required: true,
    maxLength: 200,
    min: 1,
    pattern: '^[A-Z]{2}$',
  });
  expect(boundsOf({ pattern: '^[A-Za-z0-9_+-]+$' }).pattern).toBeUndefined();
});
