import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { figuresOver, sizeOf } from './json-size.ts';

/** A loop, because recursion would overflow the stack. */
function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = [value];
  return value;
}

it('counts the bytes that JSON.stringify writes', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
      const json = JSON.parse(JSON.stringify(value)) as unknown;
      expect(sizeOf(json).bytes).toBe(Buffer.byteLength(JSON.stringify(json)));
    }),
  );
});

it.each([
  [null, 1, 0],
  ['text', 1, 0],
  [[], 1, 1],
  [{}, 1, 1],
  [[1, 2, 3], 4, 1],
  [{ a: { b: [{}, 'x'] } }, 5, 4],
])('counts values and levels: %j', (value, values, depth) => {
  expect(sizeOf(value)).toMatchObject({ values, depth });
});

it('measures values that are too deep for recursion', () => {
  expect(sizeOf(nested(500_000))).toMatchObject({ values: 500_001, depth: 500_000 });
});

it('counts a key for each value below it', () => {
  expect(sizeOf({ key: { a: 1, b: 2 } }).pointers).toBe('/key'.length + '/key/a'.length + '/key/b'.length);
});

it('stops soon after a figure exceeds the limit', () => {
  const limit = { bytes: 100, values: 10, depth: 3, pointers: 1000 };
  const texts = Array.from({ length: 9 }, () => 'x'.repeat(60));
  expect(sizeOf(texts, limit).bytes).toBeLessThan(200);
  expect(sizeOf([Array.from({ length: 10 }, () => 'x')], limit)).toMatchObject({ values: 12, depth: 2 });
  expect(sizeOf(nested(500_000), limit).depth).toBe(4);
  expect(sizeOf({ ['k'.repeat(40)]: nested(100) }, { ...limit, depth: 99 }).pointers).toBeLessThan(1200);
});

it('is exact up to the limit', () => {
  const value = { a: [1, 2, { b: 'ü' }] };
  const size = sizeOf(value);
  expect(sizeOf(value, size)).toEqual(size);
  expect(figuresOver(size, size)).toEqual([]);
  for (const figure of ['bytes', 'values', 'depth', 'pointers'] as const) {
    expect(figuresOver(size, { ...size, [figure]: size[figure] - 1 })).toEqual([figure]);
  }
});
