import { expect, it } from 'vitest';
import {
  type DeployInputs,
  deployBody,
  hostnameFor,
  keyFor,
  mintKey,
  overridesOf,
} from '../../src/rules/deploy-request.ts';

const INPUTS: DeployInputs = {
  recipe_id: 'a-recipe',
  customer_id: 'a-customer',
  hostname: ' crew.example.com ',
  tier_id: 'a-tier',
  region_id: 'a-region',
  hosting_mode: '',
  isTried: false,
  overrides: {},
};

it('keeps the key of the same inputs, and makes another one for others', () => {
  const first = keyFor(INPUTS, undefined, mintKey);
  expect(keyFor({ ...INPUTS }, first, mintKey)).toBe(first);
  const other = keyFor({ ...INPUTS, hostname: 'yard.example.com' }, first, mintKey);
  expect(other.key).not.toBe(first.key);
});

it('says nothing of what is as the recipe has it', () => {
  expect(deployBody(INPUTS, 'a-key', undefined)).toEqual({
    recipe_id: 'a-recipe',
    customer_id: 'a-customer',
    hostname: 'crew.example.com',
    tier_id: 'a-tier',
    region_id: 'a-region',
    idempotency_key: 'a-key',
  });
});

it('tries without a number and without connections, whatever else is different', () => {
  const overrides = { system_prompt: 'Answer.', channel_types: ['chatapp'] };
  expect(overridesOf({ isTried: true, overrides })).toEqual({
    system_prompt: 'Answer.',
    channel_types: ['playground'],
    connection_requirements: [],
  });
});

it('suggests a name', () => {
  expect(hostnameFor('Crew desk', 'Hafen & Söhne')).toBe('crew-desk.hafen-sohne');
  expect(hostnameFor('Crew desk', 'شركة')).toBe('crew-desk');
});
