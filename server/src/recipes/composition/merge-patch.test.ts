import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isJsonObject } from '../../platform/json/json-object.ts';
import { mergePatch } from './merge-patch.ts';

// RFC 7396, appendix A: original, patch, result.
const RFC_EXAMPLES: [unknown, unknown, unknown][] = [
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [
    ['a', 'b'],
    ['c', 'd'],
    ['c', 'd'],
  ],
  [{ a: 'b' }, ['c'], ['c']],
  [{ a: 'foo' }, null, null],
  [{ a: 'foo' }, 'bar', 'bar'],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: 'b', c: null }, { a: 'b' }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
];

/** JSON as it arrives: parsed, few key names so that the two sides meet, and hostile ones among them. */
const key = fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor', 'toString');
const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, 0, 1, 'x', true),
    fc.array(tie('json'), { maxLength: 2 }),
    fc.array(fc.tuple(key, tie('json')), { maxLength: 4 }).map((entries) => Object.fromEntries(entries)),
  ),
}));

/** Text rather than toStrictEqual, which takes an own `constructor` for the object's type. */
const text = (value: unknown): string => JSON.stringify(value);

describe('mergePatch', () => {
  it.each(RFC_EXAMPLES)('follows the RFC: %j patched with %j is %j', (target, patch, result) => {
    expect(mergePatch(target, patch)).toStrictEqual(result);
  });

  it('changes neither argument', () => {
    fc.assert(
      fc.property(json, json, (target, patch) => {
        const before = text([target, patch]);
        mergePatch(target, patch);
        expect(text([target, patch])).toBe(before);
      }),
    );
  });

  it('gives the same when applied twice', () => {
    fc.assert(
      fc.property(json, json, (target, patch) => {
        const once = mergePatch(target, patch);
        expect(text(mergePatch(once, patch))).toBe(text(once));
      }),
    );
  });

  it('leaves an object as it is under the empty patch, and is the patch when that is no object', () => {
    fc.assert(
      fc.property(json, json, (target, patch) => {
        if (isJsonObject(target)) expect(text(mergePatch(target, {}))).toBe(text(target));
        if (!isJsonObject(patch)) expect(mergePatch(target, patch)).toBe(patch);
      }),
    );
  });

  it('decides each key alone: removed by null, merged when spoken of, else kept', () => {
    fc.assert(
      fc.property(json.filter(isJsonObject), json.filter(isJsonObject), (target, patch) => {
        const merged = new Map(Object.entries(mergePatch(target, patch) as object));
        for (const name of new Set([...Object.keys(target), ...Object.keys(patch)])) {
          const spoken = Object.hasOwn(patch, name);
          expect(merged.has(name)).toBe(!spoken || patch[name] !== null);
          if (!merged.has(name)) continue;
          const own = Object.hasOwn(target, name) ? target[name] : undefined;
          expect(text(merged.get(name))).toBe(text(spoken ? mergePatch(own, patch[name]) : own));
        }
      }),
    );
  });

  it('keeps __proto__ and constructor as plain data and leaves every prototype alone', () => {
    const patch: unknown = JSON.parse(
      '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
    );
    const merged = mergePatch({ a: 1 }, patch) as object;
    expect(text(merged)).toBe(
      '{"a":1,"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
    );
    expect(Object.getPrototypeOf(merged)).toBe(Object.prototype);
    expect('polluted' in {}).toBe(false);
    expect('polluted' in merged).toBe(false);
  });
});
