import { describe, expect, it } from 'vitest';
import type { PrimitiveKind } from '../../catalogue/primitives.contract.ts';
import type { ApprovedPrimitives } from '../../catalogue/primitives.db.ts';
import { compose, type RecipeConfiguration } from './composition.ts';
import { checkPrimitives } from './primitive-check.ts';

function check(recipe: RecipeConfiguration, approved: ApprovedPrimitives = new Map()) {
  return checkPrimitives(compose({ platform: {}, recipe }).resolved_config, approved);
}

const summary = (recipe: RecipeConfiguration, approved?: ApprovedPrimitives) =>
  check(recipe, approved).map(({ code, path, kind, slug }) => [code, path, kind, slug]);

const EVERY_KIND: RecipeConfiguration = {
  skills: ['quote'],
  channel_types: ['chatapp'],
  connection_requirements: [{ provider: 'google_drive', name: 'main', optional: true }],
  mcp_servers: [{ name: 'search' }],
  workflow_slugs: ['onboard'],
  model_policy: { model: 'small' },
  sidecars: [{ name: 'ocr', runtime: 'python' }],
};
const REFERENCES: [PrimitiveKind, string, string][] = [
  ['skill', '/skills/0', 'quote'],
  ['channel', '/channel_types/0', 'chatapp'],
  ['integration', '/connection_requirements/0', 'google_drive'],
  ['mcp_server', '/mcp_servers/0', 'search'],
  ['workflow', '/workflow_slugs/0', 'onboard'],
  ['model', '/model_policy/model', 'small'],
  ['sidecar_runtime', '/sidecars/0/runtime', 'python'],
];
const ALL: ApprovedPrimitives = new Map(REFERENCES.map(([kind, , slug]) => [kind, new Set([slug])]));

describe('checkPrimitives', () => {
  it('finds nothing in an empty configuration or an approved one', () => {
    expect(check({})).toEqual([]);
    expect(check(EVERY_KIND, ALL)).toEqual([]);
  });

  it.each(REFERENCES)(
    'reports a %s when its kind is absent, empty or approves others',
    (kind, path, slug) => {
      const without = new Map([...ALL].filter(([other]) => other !== kind));
      const expected = [['not_approved', path, kind, slug]];
      expect(summary(EVERY_KIND, without)).toEqual(expected);
      expect(summary(EVERY_KIND, new Map(without).set(kind, new Set()))).toEqual(expected);
      expect(summary(EVERY_KIND, new Map(without).set(kind, new Set(['other'])))).toEqual(expected);
    },
  );

  it('names the element and the reason for a person', () => {
    expect(check({ skills: ['quote', { slug: 'fly' }] }, ALL)).toEqual([
      {
        code: 'not_approved',
        path: '/skills/1',
        kind: 'skill',
        slug: 'fly',
        message: 'skill "fly" is not among the tenant\'s approved primitives',
      },
    ]);
  });

  it('looks for models only at keys by which the gateway chooses one', () => {
    const model_policy = {
      model: 'm1',
      default_model: 'm2',
      primary_model: { temperature: 1 },
      fallback_models: 'not a list',
      allowed_models: ['m3', 'm4'],
      fallback_model: 'm5',
      models: ['m6'],
      temperature: 'warm',
      stop_words: ['m7'],
    };
    expect(check({ model_policy }).map(({ path, slug }) => `${path} ${slug}`)).toEqual([
      '/model_policy/model m1',
      '/model_policy/default_model m2',
      '/model_policy/allowed_models/0 m3',
      '/model_policy/allowed_models/1 m4',
    ]);
  });

  it('reports an element without a slug as invalid, with its kind', () => {
    const recipe = {
      skills: [7, { slug: 1 }],
      connection_requirements: [{ optional: true }],
      sidecars: [{ name: 'a', runtime: {} }],
    };
    expect(summary(recipe, ALL)).toEqual([
      ['invalid_value', '/skills/0', 'skill', null],
      ['invalid_value', '/skills/1', 'skill', null],
      ['invalid_value', '/connection_requirements/0', 'integration', null],
      ['invalid_value', '/sidecars/0/runtime', 'sidecar_runtime', null],
    ]);
  });

  it('accepts a sidecar without a runtime', () => {
    expect(check({ sidecars: [{ name: 'a' }, { name: 'b', runtime: null }] })).toEqual([]);
  });

  it('handles names that every object inherits', () => {
    expect(summary({ skills: ['__proto__', 'constructor'] }, ALL)).toHaveLength(2);
    const hostile: unknown = JSON.parse('{"__proto__": {"slug": "quote"}}');
    expect(summary({ skills: [hostile] }, ALL)).toEqual([['invalid_value', '/skills/0', 'skill', null]]);
  });

  it('lists at most 20,000 violations', () => {
    expect(check({ skills: Array.from({ length: 20_001 }, () => 0) })).toHaveLength(20_000);
  });
});
