import { describe, expect, it } from 'vitest';
import { CONFIGURATION_FIELDS } from '../recipe-fields.contract.ts';
import { compose } from './composition.ts';

const FLOW = '0b4ff4b4-2f0f-4d0e-9d55-0d5f6a3f6a11';
const RECIPE = { onboarding_flow_id: FLOW, skills: ['quote'], sidecars: [{ name: 'ocr' }] };
const UNTOUCHED = compose({ platform: {}, recipe: RECIPE });

function violationsOf(overrides: Record<string, unknown>) {
  return compose({ platform: {}, recipe: RECIPE, overrides }).violations;
}

/** Nothing of the overrides is applied. */
function expectRefused(overrides: Record<string, unknown>, paths: string[]): void {
  const { violations, ...rest } = compose({ platform: {}, recipe: RECIPE, overrides });
  expect(violations.map(({ path }) => path)).toEqual(paths);
  for (const violation of violations) {
    expect(violation).toMatchObject({ code: 'invalid_value', kind: null, slug: null });
  }
  expect({ ...rest, violations: [] }).toEqual(UNTOUCHED);
}

describe('overrides', () => {
  it.each(['nickname', 'name', 'a/b~c', '', '__proto__', 'constructor', 'toString'])(
    'makes the unknown key %j a violation',
    (key) => {
      const overrides = JSON.parse(`{${JSON.stringify(key)}: {"skills": ["x"]}}`);
      const result = compose({ platform: {}, recipe: RECIPE, overrides });
      const path = `/${key.replace('~', '~0').replace('/', '~1')}`;
      expect(result.violations).toEqual([
        { code: 'unknown_field', path, kind: null, slug: null, message: expect.stringContaining(`"${key}"`) },
      ]);
      expect({ ...result, violations: [] }).toEqual(UNTOUCHED);
    },
  );

  it.each(CONFIGURATION_FIELDS)('refuses values that are no $kind for $name', ({ name, kind }) => {
    const samples = { string: 'x', uuid: FLOW, object: {}, array: [], number: 1, minutes: 5, boolean: true };
    const fitting: Record<typeof kind, string[]> = {
      text: ['string', 'uuid'],
      label: ['string', 'uuid'],
      uuid: ['uuid'],
      object: ['object'],
      list: ['array'],
      sidecars: ['array'],
      idle_minutes: ['minutes'],
    };
    for (const [sample, value] of Object.entries(samples)) {
      if (fitting[kind].includes(sample)) expect(violationsOf({ [name]: value })).toEqual([]);
      else expectRefused({ [name]: value }, [`/${name}`]);
    }
  });

  it.each([4, 43_201, 7.5, '60', true])('refuses idle_minutes of %j', (idle_minutes) => {
    expectRefused({ idle_minutes }, ['/idle_minutes']);
  });

  it('refuses text that only resembles a UUID', () => {
    for (const id of [`${FLOW}0`, ` ${FLOW}`, `${FLOW}\n`, FLOW.replaceAll('-', ''), `{${FLOW}}`]) {
      expectRefused({ onboarding_flow_id: id }, ['/onboarding_flow_id']);
    }
    expect(violationsOf({ onboarding_flow_id: FLOW.toUpperCase() })).toEqual([]);
  });

  it.each([0, 65_536, 1.5, -1, '80', true, {}])('refuses the sidecar port %j', (port) => {
    expectRefused(
      {
        sidecars: [
          { name: 'ok', port: 1 },
          { name: 'x', port },
        ],
      },
      ['/sidecars/1/port'],
    );
  });

  it('lists all errors of sidecars', () => {
    expectRefused({ sidecars: ['ocr', { port: 0 }, { name: '' }, null] }, [
      '/sidecars/0',
      '/sidecars/1/name',
      '/sidecars/1/port',
      '/sidecars/2/name',
      '/sidecars/3',
    ]);
  });

  it('accepts sidecars without optional keys, and ports at the bounds', () => {
    const sidecars = [
      { name: 'a' },
      { name: 'b', port: null },
      { name: 'c', port: 1 },
      { name: 'd', port: 65_535 },
    ];
    expect(violationsOf({ sidecars })).toEqual([]);
  });

  it('applies a valid value of every field', () => {
    const fitting = {
      system_prompt: 'Hi',
      manifest_id: 'desk-v2',
      onboarding_flow_id: FLOW,
      rules_template_id: FLOW,
      approval_rules: { a: 1 },
      channel_config: { a: 1 },
      compliance_config: { a: 1 },
      data_access: { a: 1 },
      model_policy: { a: 1 },
      module_config: { a: 1 },
      voice_config: { a: 1 },
      channel_types: ['a', { slug: 'b' }],
      connection_requirements: ['a'],
      mcp_servers: ['a'],
      skills: ['a'],
      workflow_slugs: ['a'],
      sidecars: [{ name: 'a', port: 80, path: '/', health: '/healthz', runtime: 'node' }],
      trigger_templates: ['a'],
      idle_minutes: 43_200,
    };
    const { resolved_config, violations } = compose({ platform: {}, recipe: RECIPE, overrides: fitting });
    expect(violations).toEqual([]);
    expect(resolved_config).toEqual(fitting);
  });

  it('applies valid overrides besides invalid ones', () => {
    const overrides = { skills: 'quote', system_prompt: 'Hi', nickname: 1 };
    const { resolved_config, violations } = compose({ platform: {}, recipe: RECIPE, overrides });
    expect(resolved_config).toMatchObject({ skills: ['quote'], system_prompt: 'Hi' });
    expect(violations.map(({ code, path }) => `${code} ${path}`)).toEqual([
      'invalid_value /skills',
      'unknown_field /nickname',
    ]);
    expect(violations[0]?.message).toBe('/skills must be an array; the override of skills was not applied');
  });
});
