import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { growthOf, LESS_THAN_QUADRATIC } from '../../../test/support/growth.ts';
import { REFERENCE_CAPABILITIES } from '../manifests.ts';
import { CONFIGURATION_FIELDS } from '../recipe-fields.contract.ts';
import { compose, type RecipeConfiguration } from './composition.ts';
import { effectsOf } from './effects.ts';
import type { Surroundings } from './field-effects.ts';

const RULES = '0b4ff4b4-2f0f-4d0e-9d55-0d5f6a3f6a11';
const REFERENCE: Surroundings = {
  capabilities: REFERENCE_CAPABILITIES,
  knowsManifest: false,
  rules_templates: new Set([RULES]),
  onboarding_flows: new Set(),
};

const actingOn = (recipe: RecipeConfiguration, surroundings: Partial<Surroundings> = {}) =>
  effectsOf(compose({ platform: {}, recipe }).resolved_config, { ...REFERENCE, ...surroundings });

const effects = (recipe: RecipeConfiguration, surroundings?: Partial<Surroundings>) =>
  actingOn(recipe, surroundings).effects;

const isUnset = (value: unknown) => value === null || (Array.isArray(value) && value.length === 0);

/** The effect of the closest pointer above. */
function above(found: Record<string, string>, pointer: string): string | undefined {
  const parent = pointer.slice(0, pointer.lastIndexOf('/'));
  return parent === '' ? undefined : (found[parent] ?? above(found, parent));
}

const codes = (recipe: RecipeConfiguration) =>
  actingOn(recipe).violations.map(({ code, path }) => `${code} ${path}`);

describe('effectsOf', () => {
  it('omits unset fields', () => {
    expect(actingOn({ skills: [], system_prompt: null })).toEqual({ effects: {}, violations: [] });
  });

  it('lists a part below a pointer only if its effect differs', () => {
    const skills = ['staff_query', { slug: 'timesheet', pin_required: true, colour: 'red' }, 'fly'];
    expect(effects({ skills, system_prompt: 'Hi' })).toEqual({
      '/system_prompt': 'runtime',
      '/skills': 'runtime',
      '/skills/1/pin_required': 'control_plane',
      '/skills/1/colour': 'nobody',
      '/skills/2': 'nobody',
    });
    const channel_config = { greeting: 'Hi', colour: 'red', 'a/b': 1 };
    expect(effects({ channel_config })).toEqual({
      '/channel_config': 'control_plane',
      '/channel_config/colour': 'nobody',
      '/channel_config/a~1b': 'nobody',
    });
  });

  it('uses one pointer and one violation for a field that nobody acts on', () => {
    const recipe = {
      voice_config: { greeting: 'Hi' },
      workflow_slugs: ['a', 'b'],
      channel_config: { tone: 1 },
    };
    expect(effects(recipe)).toEqual({
      '/channel_config': 'nobody',
      '/voice_config': 'nobody',
      '/workflow_slugs': 'nobody',
    });
    expect(codes(recipe)).toEqual([
      'unsupported /channel_config',
      'unsupported /voice_config',
      'unsupported /workflow_slugs',
    ]);
  });

  it('names a skill or channel that the manifest does not have', () => {
    expect(actingOn({ skills: ['staff_query', { name: 'fly' }] }).violations).toEqual([
      {
        code: 'unsupported',
        path: '/skills/1',
        kind: 'skill',
        slug: 'fly',
        message: 'Nothing acts on /skills/1: the manifest has no skill "fly"',
      },
    ]);
    expect(actingOn({ channel_types: ['voice'] }).violations).toMatchObject([
      { path: '/channel_types', kind: 'channel', slug: 'voice' },
    ]);
  });

  it('assigns fields of the manifest to the runtime', () => {
    const capabilities = { fields: ['voice_config', 'channel_config'], skills: ['fly'], channels: [] };
    const recipe = {
      system_prompt: 'Hi',
      voice_config: { greeting: 'Hi' },
      channel_config: { colour: 'red', greeting: 'Hi' },
      skills: ['fly', 'staff_query'],
    };
    expect(effects(recipe, { capabilities } as Partial<Surroundings>)).toEqual({
      '/system_prompt': 'nobody',
      '/channel_config': 'runtime',
      '/channel_config/greeting': 'control_plane',
      '/voice_config': 'runtime',
      '/skills': 'runtime',
      '/skills/1': 'nobody',
    });
  });

  it('knows manifests, rules templates and onboarding flows by their ids', () => {
    const ids = { manifest_id: 'm', rules_template_id: RULES, onboarding_flow_id: RULES };
    expect(effects(ids)).toEqual({
      '/manifest_id': 'nobody',
      '/onboarding_flow_id': 'nobody',
      '/rules_template_id': 'control_plane',
    });
    expect(effects(ids, { knowsManifest: true })['/manifest_id']).toBe('control_plane');
  });

  it('reports a value out of range once', () => {
    const recipe = {
      channel_config: { burst_seconds: 31, business_hours: { mon: [['09:00', '25:00']] }, greeting: 'Hi' },
      trigger_templates: [{ name: 'a', schedule: '61 * * * *', prompt: 'p', to: '1' }],
      data_access: { folder_ids: 'all', drive: { folder_ids: ['a'], read_only: true } },
      skills: [{ slug: 'timesheet', pin_required: 'yes' }],
      module_config: { timesheet: { enabled: 'no' } },
      compliance_config: { retention_days: -1 },
    };
    expect(codes(recipe)).toEqual([
      'invalid_value /channel_config/burst_seconds',
      'invalid_value /channel_config/business_hours',
      'invalid_value /compliance_config/retention_days',
      'invalid_value /data_access/folder_ids',
      'unsupported /data_access/drive/read_only',
      'invalid_value /module_config/timesheet/enabled',
      'invalid_value /skills/0/pin_required',
      'invalid_value /trigger_templates/0/schedule',
    ]);
  });

  it('applies settings of the configuration’s skills', () => {
    const skills = ['staff_query'];
    const module_config = { staff_query: { enabled: false, colour: 1 }, fly: { enabled: false } };
    expect(effects({ skills, module_config })).toMatchObject({
      '/module_config': 'control_plane',
      '/module_config/staff_query/colour': 'nobody',
      '/module_config/fly': 'nobody',
    });
  });

  it('finds approval rules that can match no tool', () => {
    const mcp_servers = [
      { name: 'crm', url: 'https://crm.example/mcp' },
      { name: 'shop', url: 'https://shop.example/mcp', allowed_tools: ['buy', 'refund_all'] },
    ];
    const tools = [
      'crm__anything',
      'crm__',
      'cr*',
      'crm__x*',
      'shop__buy',
      'shop__sell',
      'shop__re*',
      'shop__x*',
      '*',
    ];
    const approval_rules = { require: tools.map((tool) => ({ tool, by: 'person' })) };
    const found = effects({ mcp_servers, approval_rules });
    const dead = Object.keys(found).filter((pointer) => found[pointer] === 'nobody');
    expect(dead.map((pointer) => tools[Number(pointer.split('/').at(-1))])).toEqual([
      'crm__',
      'shop__sell',
      'shop__x*',
    ]);
  });

  it('requires name and address of a server, and everything except the template of a trigger', () => {
    const mcp_servers = [
      'control-plane',
      { name: 'crm' },
      { name: 'crm', url: 'https://crm.example', colour: 1 },
    ];
    expect(effects({ mcp_servers, trigger_templates: [{ name: 'a' }] })).toEqual({
      '/mcp_servers': 'control_plane',
      '/mcp_servers/0': 'nobody',
      '/mcp_servers/1': 'nobody',
      '/mcp_servers/2/colour': 'nobody',
      '/trigger_templates': 'nobody',
    });
  });

  it('covers every set field without redundant pointers, and reports each nobody', () => {
    const value = fc.oneof(
      fc.constantFrom<unknown>('x', 1, null, [], {}, ['staff_query'], { slug: 'timesheet' }),
      fc.array(fc.jsonValue(), { maxLength: 3 }),
    );
    const keys = fc.constantFrom(
      'greeting',
      'require',
      'model',
      'folder_ids',
      'drive',
      'own',
      'a/b',
      '__proto__',
    );
    const object = fc
      .array(fc.tuple(keys, value), { maxLength: 4 })
      .map((entries) => Object.fromEntries(entries));
    const element = fc.oneof(value, object);
    const recipes = fc.record(
      Object.fromEntries(
        CONFIGURATION_FIELDS.map(({ name, kind }) => {
          if (kind === 'object') return [name, object];
          if (kind === 'idle_minutes') return [name, fc.integer({ min: 5, max: 43_200 })];
          return [
            name,
            kind === 'list' || kind === 'sidecars' ? fc.array(element, { maxLength: 3 }) : fc.string(),
          ];
        }),
      ),
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(recipes, (recipe) => {
        const config = compose({ platform: {}, recipe }).resolved_config;
        const { effects: found, violations } = effectsOf(config, REFERENCE);
        const set = Object.entries(config).filter(([, field]) => !isUnset(field));
        for (const [name] of set) expect(found).toHaveProperty([`/${name}`]);
        const isNobody = Object.keys(found).filter((pointer) => found[pointer] === 'nobody');
        const reported = violations.filter(({ code }) => code === 'unsupported').map(({ path }) => path);
        expect(reported).toEqual(isNobody);
        for (const pointer of Object.keys(found)) expect(found[pointer]).not.toBe(above(found, pointer));
      }),
    );
  });

  it('handles names that every object inherits', () => {
    const channel_config = JSON.parse(
      '{"constructor": 1, "__proto__": {"greeting": "Hi"}, "greeting": "Hi"}',
    );
    expect(effects({ channel_config })).toMatchObject({
      '/channel_config/constructor': 'nobody',
      '/channel_config/__proto__': 'nobody',
    });
  });

  it('takes time linear in the size of the configuration', async () => {
    expect(await growthOf(checkMany, 750)).toBeLessThan(LESS_THAN_QUADRATIC);
  });
});

const checkMany = async (size: number) => {
  const require = Array.from({ length: size }, (_, at) => ({ tool: `s${at}__t*`, by: 'person' }));
  const mcp_servers = require.map((_, at) => ({ name: `s${at}`, url: 'https://a.example' }));
  const channel_config = Object.fromEntries(require.map((_, at) => [`key-${at}`, at]));
  expect(codes({ approval_rules: { require }, mcp_servers, channel_config })).toHaveLength(1);
};
