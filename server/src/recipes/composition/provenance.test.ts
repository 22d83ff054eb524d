import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isJsonObject } from '../../platform/json/json-object.ts';
import { type AgentConfiguration, CONFIGURATION_FIELDS } from '../recipe-fields.contract.ts';
import { compose, type Layers } from './composition.ts';
import type { Provenance } from './provenance.ts';

const key = fc.constantFrom('a', 'b', '__proto__', 'constructor', 'a/b', '~1', '');
const { json, object } = fc.letrec<{ json: unknown; object: Record<string, unknown> }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, 1, 'x', [], [{ a: 1 }]),
    tie('object') as fc.Arbitrary<unknown>,
  ),
  object: fc
    .array(fc.tuple(key, tie('json')), { maxLength: 4 })
    .map((entries) => Object.fromEntries(entries)),
}));

/** Random fields with values of their kinds. */
const configuration = fc.record(
  Object.fromEntries(
    CONFIGURATION_FIELDS.map(({ name, kind }) => {
      if (kind === 'object') return [name, object];
      if (kind === 'text' || kind === 'label') return [name, fc.string()];
      if (kind === 'uuid') return [name, fc.uuid()];
      return [name, kind === 'sidecars' ? fc.constant([{ name: 's' }]) : fc.array(json, { maxLength: 2 })];
    }),
  ),
  { requiredKeys: [] },
) as fc.Arbitrary<Partial<AgentConfiguration>>;

/** Valid and invalid overrides, removals and unknown keys. */
const overrides = fc
  .tuple(
    configuration,
    fc.dictionary(fc.constantFrom(...CONFIGURATION_FIELDS.map(({ name }) => name), 'zz'), json),
  )
  .map(([fitting, anything]) => ({ ...anything, ...fitting }));

function leaves(value: unknown, pointer = ''): Map<string, unknown> {
  if (!isJsonObject(value) || Object.keys(value).length === 0) return new Map([[pointer, value]]);
  const found = Object.entries(value).map(([name, child]) =>
    leaves(child, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  );
  return new Map(found.flatMap((map) => [...map]));
}

/** Composes only this layer. */
function leavesOf(layer: Partial<Layers>): Map<string, unknown> {
  return leaves(compose({ platform: {}, recipe: {}, ...layer }).resolved_config);
}

/** The pointer and its ancestors, innermost first. */
const coversOf = (pointer: string): string[] =>
  pointer === '' ? [] : [pointer, ...coversOf(pointer.slice(0, pointer.lastIndexOf('/')))];

/** From the nearest pointer that covers the value. */
const originOf = (provenance: Provenance, pointer: string) => {
  const cover = coversOf(pointer).find((at) => Object.hasOwn(provenance, at));
  return cover === undefined ? undefined : provenance[cover];
};

const isBelow = (pointer: string, cover: string) => pointer === cover || pointer.startsWith(`${cover}/`);

describe('provenance', () => {
  it('covers every leaf without redundant pointers', () => {
    fc.assert(
      fc.property(configuration, configuration, overrides, (platform, recipe, overrides) => {
        const { resolved_config, provenance } = compose({ platform, recipe, overrides });
        const origins = new Map(
          [...leaves(resolved_config).keys()].map((leaf) => [leaf, originOf(provenance, leaf)]),
        );
        expect([...origins.values()]).not.toContain(undefined);
        for (const [pointer, origin] of Object.entries(provenance)) {
          const { [pointer]: _, ...others } = provenance;
          const below = [...origins].filter(([leaf]) => isBelow(leaf, pointer));
          // Not redundant: without the pointer some leaf would have another origin or none.
          expect(below.some(([leaf]) => originOf(others, leaf) !== origin)).toBe(true);
          // Some leaf has this origin.
          expect(below.map(([, of]) => of)).toContain(origin);
        }
      }),
    );
  });

  it('is correct: leaves of overrides do not depend on lower layers, other leaves not on overrides', () => {
    const compared = { override: 0, recipe: 0, platform: 0 };
    fc.assert(
      fc.property(configuration, configuration, overrides, (platform, recipe, overrides) => {
        const { resolved_config, provenance } = compose({ platform, recipe, overrides });
        const alone = {
          override: leavesOf({ overrides }),
          recipe: leavesOf({ recipe }),
          platform: leavesOf({ platform }),
        };
        for (const [pointer, value] of leaves(resolved_config)) {
          const origin = originOf(provenance, pointer) ?? 'platform';
          expect(alone[origin].get(pointer)).toStrictEqual(value);
          compared[origin] += 1;
        }
      }),
    );
    expect(Object.values(compared).every((count) => count > 100)).toBe(true);
  });

  const recipe = { voice_config: { greeting: 'Hi', pace: 1 }, data_access: { a: { b: 1 }, c: 2 } };
  it.each([
    [{}, { '/voice_config': 'recipe', '/data_access': 'recipe' }],
    [
      { voice_config: { greeting: 'Hello' } },
      { '/voice_config': 'recipe', '/voice_config/greeting': 'override', '/data_access': 'recipe' },
    ],
    [
      { voice_config: { greeting: 'Hello', pace: 2 } },
      { '/voice_config': 'override', '/data_access': 'recipe' },
    ],
    [
      { data_access: { a: { b: 2, d: 3 } } },
      { '/voice_config': 'recipe', '/data_access': 'recipe', '/data_access/a': 'override' },
    ],
    [
      { voice_config: null, data_access: {} },
      { '/voice_config': 'override', '/data_access': 'recipe' },
    ],
  ])('of %j', (overrides, expected) => {
    const { provenance } = compose({ platform: {}, recipe, overrides });
    const ofTheTwo = Object.entries(provenance).filter(([pointer]) =>
      ['/voice_config', '/data_access'].some((field) => isBelow(pointer, field)),
    );
    expect(Object.fromEntries(ofTheTwo)).toEqual(expected);
  });

  it('assigns a value to the override that names it, even if it repeats or empties it', () => {
    const { provenance } = compose({
      platform: {},
      recipe: { data_access: { same: 1, emptied: { x: 1 }, kept: { y: 1 }, none: {} } },
      overrides: { data_access: { same: 1, emptied: { x: null }, kept: {} } },
    });
    expect(provenance).toMatchObject({
      '/data_access': 'recipe',
      '/data_access/same': 'override',
      '/data_access/emptied': 'override',
    });
    expect(provenance).not.toHaveProperty(['/data_access/kept']);
  });
});
