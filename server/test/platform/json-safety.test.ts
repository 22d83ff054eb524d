import { expect, it } from 'vitest';
import { ValidationError } from '../../src/platform/errors.ts';
import { invalidTextFaults } from '../../src/platform/http/json-safety.ts';

/** Counts reads of its items. */
function watchedZeros(length: number) {
  let asked = 0;
  const list = new Proxy(
    Array.from({ length }, () => 0),
    {
      get(target, key) {
        if (typeof key === 'string' && /^\d+$/.test(key)) asked++;
        return Reflect.get(target, key) as unknown;
      },
    },
  );
  return { list, asked: () => asked };
}

it('checks every value of a list within the limit', () => {
  const { list, asked } = watchedZeros(49_999);
  expect(invalidTextFaults('body', list)).toEqual([]);
  expect(asked()).toBe(49_999);
});

it.each([50_000, 500_000])('reads none of %i values, which are too many', (count) => {
  const { list, asked } = watchedZeros(count);
  expect(() => invalidTextFaults('body', list)).toThrow(ValidationError);
  expect(asked()).toBe(0);
});

it('counts values of all lists and objects in total', () => {
  const halves = { list: Array.from({ length: 25_000 }, () => 0), object: {} as Record<string, number> };
  for (let index = 0; index < 24_997; index++) halves.object[`k${index}`] = index;
  expect(invalidTextFaults('body', halves)).toEqual([]);
  halves.object.one_more = 1;
  expect(() => invalidTextFaults('body', halves)).toThrow(ValidationError);
});

it.each([1e308, -1e308, 5e-324, -1e-300])('accepts %d until its digits exceed the limit', (number) => {
  expect(
    invalidTextFaults(
      'body',
      Array.from({ length: 300 }, () => number),
    ),
  ).toEqual([]);
  const many = Array.from({ length: 400 }, () => number);
  expect(() => invalidTextFaults('body', many)).toThrow(ValidationError);
});

it('accepts any count of numbers without an exponent', () => {
  const numbers = [0, -0, 1e20, -1e20, 1e-6, 0.1, Number.MAX_SAFE_INTEGER];
  const many = Array.from({ length: 49_000 }, (_, index) => numbers[index % numbers.length]);
  expect(invalidTextFaults('body', many)).toEqual([]);
});
