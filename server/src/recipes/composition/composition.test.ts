import { describe, expect, it } from 'vitest';
import { CONFIGURATION_FIELDS } from '../recipe-fields.contract.ts';
import { compose } from './composition.ts';

const FLOW = '0b4ff4b4-2f0f-4d0e-9d55-0d5f6a3f6a11';
const RECIPE = {
  system_prompt: 'Be brief.',
  skills: ['quote'],
  model_policy: { model: 'small', limits: { tokens: 100, calls: 5 } },
  sidecars: [{ name: 'ocr', port: 9000 }],
};

function overridden(overrides: Record<string, unknown>, recipe: object = RECIPE) {
  return compose({ platform: {}, recipe, overrides });
}

describe('compose', () => {
  it('returns every configuration field; unset ones are empty and from the platform', () => {
    const { resolved_config, provenance, violations } = compose({ platform: {}, recipe: {} });
    expect(resolved_config).toStrictEqual({
      system_prompt: null,
      manifest_id: null,
      onboarding_flow_id: null,
      rules_template_id: null,
      approval_rules: null,
      channel_config: null,
      compliance_config: null,
      data_access: null,
      model_policy: null,
      module_config: null,
      voice_config: null,
      channel_types: [],
      connection_requirements: [],
      mcp_servers: [],
      skills: [],
      trigger_templates: [],
      workflow_slugs: [],
      idle_minutes: null,
      sidecars: [],
    });
    expect(Object.keys(resolved_config)).toEqual(CONFIGURATION_FIELDS.map(({ name }) => name));
    expect(new Set(Object.values(provenance))).toEqual(new Set(['platform']));
    expect(violations).toEqual([]);
  });

  it('replaces platform fields with the recipe’s, except null ones', () => {
    const { resolved_config, provenance } = compose({
      platform: { system_prompt: 'Default.', manifest_id: 'base', model_policy: { model: 'large', tier: 1 } },
      recipe: { system_prompt: null, model_policy: { model: 'small' }, skills: [] },
    });
    expect(resolved_config).toMatchObject({ system_prompt: 'Default.', manifest_id: 'base', skills: [] });
    expect(resolved_config.model_policy).toStrictEqual({ model: 'small' });
    expect(provenance).toMatchObject({
      '/system_prompt': 'platform',
      '/manifest_id': 'platform',
      '/model_policy': 'recipe',
      '/skills': 'recipe',
    });
  });

  it('reads only configuration fields from a recipe', () => {
    const row = { ...RECIPE, id: FLOW, name: 'Desk', hosting_mode: 'shared' };
    expect(compose({ platform: {}, recipe: row })).toEqual(compose({ platform: {}, recipe: RECIPE }));
  });

  it('merges overrides deeply, replaces whole arrays and lists the origins', () => {
    const { resolved_config, provenance, violations } = overridden({
      skills: ['invoice'],
      model_policy: { limits: { tokens: 7, calls: null } },
    });
    expect(violations).toEqual([]);
    expect(resolved_config.skills).toEqual(['invoice']);
    expect(resolved_config.model_policy).toStrictEqual({ model: 'small', limits: { tokens: 7 } });
    expect(provenance).toMatchObject({
      '/skills': 'override',
      '/model_policy': 'recipe',
      '/model_policy/limits': 'override',
    });
    expect(Object.keys(provenance)).toHaveLength(CONFIGURATION_FIELDS.length + 1);
  });

  it('removes a field with null, whose origin is then the override', () => {
    const removed = { system_prompt: null, skills: null, model_policy: null, trigger_templates: null };
    const { resolved_config, provenance, violations } = overridden(removed);
    expect(violations).toEqual([]);
    expect(resolved_config).toMatchObject({ ...removed, skills: [], trigger_templates: [] });
    for (const name of Object.keys(removed)) expect(provenance[`/${name}`]).toBe('override');
  });

  it('does not return to the platform default for a removed field', () => {
    const { resolved_config } = compose({
      platform: { system_prompt: 'Default.' },
      recipe: {},
      overrides: { system_prompt: null },
    });
    expect(resolved_config.system_prompt).toBeNull();
  });

  it('writes pointers of RFC 6901', () => {
    const data_access = { 'a/b': { '~': 0, '': 0, kept: 0 } };
    const { provenance } = overridden({ data_access: { 'a/b': { '~': 1, '': 2 } } }, { data_access });
    expect(provenance).toMatchObject({
      '/data_access/a~1b/~0': 'override',
      '/data_access/a~1b/': 'override',
    });
  });

  it('treats __proto__ and constructor as data', () => {
    const overrides = JSON.parse('{"data_access":{"__proto__":{"x":1},"constructor":{"y":2}}}');
    const { resolved_config, provenance } = overridden(overrides, { data_access: { a: 1 } });
    expect(JSON.stringify(resolved_config.data_access)).toBe(
      '{"a":1,"__proto__":{"x":1},"constructor":{"y":2}}',
    );
    expect(provenance).toMatchObject({
      '/data_access/__proto__': 'override',
      '/data_access/constructor': 'override',
    });
    expect('x' in {}).toBe(false);
  });

  it('accepts very wide overrides', () => {
    const skills = Array.from({ length: 200_000 }, (_, index) => `skill-${index}`);
    const unknown = Object.fromEntries(skills.map((slug) => [slug, 1]));
    const { resolved_config, violations } = overridden({ ...unknown, skills });
    expect(resolved_config.skills).toHaveLength(200_000);
    expect(violations).toHaveLength(200_000);
  });
});
