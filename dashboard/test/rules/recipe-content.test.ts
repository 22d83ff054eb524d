import type { RecipeRevision } from '@agent-control-plane/sdk';
import { expect, it } from 'vitest';
import { changeBody, contentOf } from '../../src/rules/recipe-content.ts';

const REVISION: RecipeRevision = {
  recipe_id: 'a',
  revision: 3,
  name: 'Desk',
  description: null,
  system_prompt: 'Be brief.',
  manifest_id: null,
  hosting_mode: 'dedicated',
  shared_node_capacity: 50,
  is_active: false,
  source_instance_id: null,
  onboarding_flow_id: null,
  rules_template_id: null,
  approval_rules: null,
  channel_config: { greeting: 'Hi', away_message: null },
  compliance_config: null,
  data_access: null,
  model_policy: null,
  module_config: null,
  voice_config: null,
  idle_minutes: null,
  channel_types: [],
  connection_requirements: [],
  mcp_servers: [],
  skills: ['faq'],
  trigger_templates: [],
  workflow_slugs: [],
  sidecars: [],
  created_at: '2026-01-31T09:30:00.000Z',
  created_by: null,
};

it('has what is set', () => {
  expect(contentOf(REVISION)).toEqual({
    name: 'Desk',
    system_prompt: 'Be brief.',
    skills: ['faq'],
    channel_config: { greeting: 'Hi' },
    is_active: false,
  });
});

it('sends whole fields, and null for those that went', () => {
  const content = { name: 'Desk', channel_config: { greeting: 'Hi', away_message: 'Later' } };
  expect(
    changeBody(content, { channel_config: { away_message: 'Later' }, skills: null, is_active: null }),
  ).toEqual({
    channel_config: { greeting: 'Hi', away_message: 'Later' },
    skills: null,
    is_active: true,
  });
});
