import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compose } from '../../../test/support/composition.ts';
import { isJsonObject } from '../../platform/json/json-object.ts';
import type { Layers } from './composition.ts';
import { type AgentConfiguration, CONFIGURATION_FIELDS } from './composition-fields.ts';

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

/** Some of the fields, each with a value of its kind. */
const configuration = fc.record(
  Object.fromEntries(
    CONFIGURATION_FIELDS.map(({ name, kind }) => {
      if (kind === 'object') return [name, object];
      if (kind === 'string') return [name, fc.string()];
      if (kind === 'uuid') return [name, fc.uuid()];
      return [name, kind === 'sidecars' ? fc.constant([{ name: 's' }]) : fc.array(json, { maxLength: 2 })];
    }),
  ),
  { requiredKeys: [] },
) as fc.Arbitrary<Partial<AgentConfiguration>>;

/** Overrides that fit, some that do not, removals and unknown keys. */
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

/** The leaves of a configuration composed of one layer alone. */
function leavesOf(layer: Partial<Layers>): Map<string, unknown> {
  return leaves(compose({ platform: {}, recipe: {}, ...layer }).resolved_config);
}

describe('provenance', () => {
  it('names every leaf of the resolved configuration and nothing else', () => {
    fc.assert(
      fc.property(configuration, configuration, overrides, (platform, recipe, overrides) => {
        const { resolved_config, provenance } = compose({ platform, recipe, overrides });
        expect(Object.keys(provenance)).toEqual([...leaves(resolved_config).keys()]);
      }),
    );
  });

  it('tells the truth: an override’s leaf does not depend on the layers below, the others not on overrides', () => {
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
          const origin = provenance[pointer] ?? 'platform';
          expect(alone[origin].get(pointer)).toStrictEqual(value);
          compared[origin] += 1;
        }
      }),
    );
    expect(Object.values(compared).every((count) => count > 100)).toBe(true);
  });

  it('gives a leaf to the override that speaks of it, also when it repeats or empties', () => {
    const { provenance } = compose({
      platform: {},
      recipe: { data_access: { same: 1, emptied: { x: 1 }, kept: { y: 1 }, none: {} } },
      overrides: { data_access: { same: 1, emptied: { x: null }, kept: {} } },
    });
    expect(provenance).toMatchObject({
      '/data_access/same': 'override',
      '/data_access/emptied': 'override',
      '/data_access/kept/y': 'recipe',
      '/data_access/none': 'recipe',
    });
  });
});
