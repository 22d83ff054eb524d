import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isJsonObject } from '../../platform/json/json-object.ts';
import { compose } from './composition.ts';
import { planHash } from './plan-hash.ts';

const RECIPE_ID = '0b4ff4b4-2f0f-4d0e-9d55-0d5f6a3f6a11';

function hashOf(data_access: Record<string, unknown>, revision = 1): string {
  const { resolved_config } = compose({ platform: {}, recipe: { data_access } });
  return planHash({ recipe_id: RECIPE_ID, revision, resolved_config });
}

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([key, child]): [string, unknown] => [key, reversed(child)]);
  return Object.fromEntries(entries.toReversed());
}

/** Parsed JSON; the HTTP layer ensures well-formed text. */
const object = fc
  .dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue({ stringUnit: 'grapheme', maxDepth: 4 }))
  .map((value): Record<string, unknown> => JSON.parse(JSON.stringify(value)));

describe('planHash', () => {
  it('is the SHA-256 of the canonical text', () => {
    const { resolved_config } = compose({ platform: {}, recipe: { skills: ['é', 1e21, -0] } });
    const text = `{"recipe_id":"${RECIPE_ID}","resolved_config":{"approval_rules":null,"channel_config":null,"channel_types":[],"compliance_config":null,"connection_requirements":[],"data_access":null,"idle_minutes":null,"manifest_id":null,"mcp_servers":[],"model_policy":null,"module_config":null,"onboarding_flow_id":null,"rules_template_id":null,"sidecars":[],"skills":["é",1e+21,0],"system_prompt":null,"trigger_templates":[],"voice_config":null,"workflow_slugs":[]},"revision":3}`;
    expect(planHash({ recipe_id: RECIPE_ID, revision: 3, resolved_config })).toBe(
      createHash('sha256').update(text).digest('hex'),
    );
  });

  it('does not depend on the order of keys or on storage', () => {
    fc.assert(
      fc.property(object, (data) => {
        expect(hashOf(reversed(data) as Record<string, unknown>)).toBe(hashOf(data));
        expect(hashOf(JSON.parse(JSON.stringify(data)))).toBe(hashOf(data));
      }),
    );
  });

  it('differs for different configurations', () => {
    fc.assert(
      fc.property(object, object, (one, other) => {
        const same = JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
        expect(hashOf(one) === hashOf(other)).toBe(same);
      }),
    );
    expect(hashOf({ a: [1, 2] })).not.toBe(hashOf({ a: [2, 1] }));
    expect(hashOf(JSON.parse('{"__proto__":1}'))).not.toBe(hashOf({}));
  });

  it('depends on recipe and revision, but on nothing else in the plan', () => {
    const { resolved_config } = compose({ platform: {}, recipe: {} });
    const plan = { recipe_id: RECIPE_ID, revision: 1, resolved_config };
    expect(planHash({ ...plan, revision: 2 })).not.toBe(planHash(plan));
    expect(planHash({ ...plan, recipe_id: RECIPE_ID.replace('0', '1') })).not.toBe(planHash(plan));
    expect(planHash(Object.assign({ composed_at: 'now' }, plan))).toBe(planHash(plan));
  });
});

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([key, child]): [string, unknown] => [key, sorted(child)]);
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
