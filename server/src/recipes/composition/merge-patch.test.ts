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

/** Parsed JSON. Few key names, so that both sides overlap; some are hostile. */
const key = fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor', 'toString');
const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, 0, 1, 'x', true),
    fc.array(tie('json'), { maxLength: 2 }),
    fc.array(fc.tuple(key, tie('json')), { maxLength: 4 }).map((entries) => Object.fromEntries(entries)),
  ),
}));

/** toStrictEqual takes an own `constructor` for the object's type. */
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

  it('is idempotent', () => {
    fc.assert(
      fc.property(json, json, (target, patch) => {
        const once = mergePatch(target, patch);
        expect(text(mergePatch(once, patch))).toBe(text(once));
      }),
    );
  });

  it('keeps an object under an empty patch, and returns a patch that is not an object', () => {
    fc.assert(
      fc.property(json, json, (target, patch) => {
        if (isJsonObject(target)) expect(text(mergePatch(target, {}))).toBe(text(target));
        if (!isJsonObject(patch)) expect(mergePatch(target, patch)).toBe(patch);
      }),
    );
  });

  it('handles each key separately: removed by null, merged when patched, else kept', () => {
    fc.assert(
      fc.property(json.filter(isJsonObject), json.filter(isJsonObject), (target, patch) => {
        const merged = new Map(Object.entries(mergePatch(target, patch) as object));
        for (const name of new Set([...Object.keys(target), ...Object.keys(patch)])) {
          const isPatched = Object.hasOwn(patch, name);
          expect(merged.has(name)).toBe(!isPatched || patch[name] !== null);
          if (!merged.has(name)) continue;
          const own = Object.hasOwn(target, name) ? target[name] : undefined;
          expect(text(merged.get(name))).toBe(text(isPatched ? mergePatch(own, patch[name]) : own));
        }
      }),
    );
  });

  it('keeps __proto__ and constructor as data without changing prototypes', () => {
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
