import { describe, expect, it } from 'vitest';
import { ValidationError } from '../errors.ts';
import { DOCUMENT_LIMIT, limitDocument, limitValue } from './document-limit.ts';
import type { JsonObject } from './json-object.ts';
import { sizeOf } from './json-size.ts';

const KIB = 1024;
const text = (bytes: number) => 'x'.repeat(bytes - 2);
const list = (values: number) => Array.from({ length: values - 1 }, () => 0);
const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)]);

/** undefined: no errors. */
function faultsOf(check: () => void): string[] | undefined {
  try {
    check();
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    expect(error.faults.map(({ type }) => type)).toEqual(error.faults.map(() => 'too_long'));
    return error.faults.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`);
  }
  return undefined;
}

const overridesFaults = (value: unknown) => faultsOf(() => limitValue(value, ['body', 'instance_overrides']));

const at = (document: JsonObject, changed = Object.keys(document), before?: JsonObject) =>
  faultsOf(() => limitDocument(document, changed, before && (() => before)))?.map(
    (fault) => fault.split(':')[0],
  );

describe('a value', () => {
  it.each([
    ['bytes', text(256 * KIB), text(256 * KIB + 1), '256 KiB as JSON'],
    ['values', list(10_000), list(10_001), '10,000 values'],
    ['levels', nested(32), nested(33), '32 levels of nesting'],
  ])('may have at most this many %s', (_, largest, tooLarge, words) => {
    expect(overridesFaults(largest)).toBeUndefined();
    expect(overridesFaults(tooLarge)).toEqual([
      `body.instance_overrides: Value should have at most ${words}`,
    ]);
  });

  it('may not have a long key above many values', () => {
    const below = Object.fromEntries(list(2000).map((_, index) => [`k${index}`, 0]));
    const value = { ['x'.repeat(5000)]: below };
    expect(sizeOf(value).bytes).toBeLessThan(DOCUMENT_LIMIT.bytes);
    expect(faultsOf(() => limitValue(value, ['body']))).toEqual([
      'body: Value has keys too long for so many values',
    ]);
  });
});

describe('a document', () => {
  it('is refused at each member that is too large alone', () => {
    const large = { a: text(256 * KIB + 1), b: list(10_001), c: nested(32), d: 1 };
    expect(at(large)).toEqual(['body.a', 'body.b', 'body.c']);
  });

  it('is refused at the body when only the sum is too large', () => {
    expect(at({ a: text(128 * KIB), b: text(128 * KIB) })).toEqual(['body']);
    expect(at({ a: list(5000), b: list(5000) })).toEqual(['body']);
    expect(at({ a: nested(31), b: text(128 * KIB) })).toBeUndefined();
  });

  it('is refused at the body when an unchanged member is too large', () => {
    const before = { a: text(300 * KIB), b: null };
    expect(at({ ...before, b: 'more' }, ['b'], before)).toEqual(['body']);
  });

  it('that is already too large may keep its size, in each figure', () => {
    const before = { a: text(300 * KIB), b: nested(40) };
    expect(at(before, ['a', 'b'], before)).toBeUndefined();
    expect(at({ a: text(299 * KIB), b: nested(39) }, ['a', 'b'], before)).toBeUndefined();
    expect(at({ a: text(301 * KIB), b: 1 }, ['a', 'b'], before)).toEqual(['body.a']);
    expect(at({ a: 1, b: nested(41) }, ['a', 'b'], before)).toEqual(['body.b']);
    expect(at({ a: list(10_001), b: 1 }, ['a', 'b'], before)).toEqual(['body.a']);
  });
});
