import type { Recipe, RecipeRevision, RecipeUpdate } from '@agent-control-plane/sdk';
import { type JsonObject, objectWithoutNull } from './recipe-patch.ts';

export type FieldName = Exclude<keyof RecipeUpdate, 'expect_revision'>;

/** All that a recipe's author decides, in the order of files and forms, and as people call it. */
export const FIELD_WORDS = {
  name: 'Name',
  description: 'Description',
  system_prompt: 'Prompt',
  skills: 'Skills',
  channel_types: 'Channels',
  mcp_servers: 'Tools',
  approval_rules: 'Approvals',
  channel_config: 'Greeting and hours',
  model_policy: 'Model',
  connection_requirements: 'Connections',
  onboarding_flow_id: 'Onboarding',
  trigger_templates: 'Triggers',
  data_access: 'Data access',
  compliance_config: 'Retention and disclaimer',
  rules_template_id: 'Rules of the customer',
  module_config: 'Modules',
  voice_config: 'Voice',
  workflow_slugs: 'Workflows',
  sidecars: 'Sidecars',
  manifest_id: 'Runtime',
  hosting_mode: 'Hosting',
  shared_node_capacity: 'Capacity',
  idle_minutes: 'Sleep',
  is_active: 'Can be deployed',
} satisfies Record<FieldName, string>;

export const FIELDS = Object.keys(FIELD_WORDS);

export const isField = (name: string): name is FieldName => Object.hasOwn(FIELD_WORDS, name);

export const fieldWords = (name: string): string => (isField(name) ? FIELD_WORDS[name] : name);

/** An unset field counts as this. */
const UNSET: JsonObject = { hosting_mode: 'dedicated', shared_node_capacity: 50, is_active: true };

const isUnset = (name: FieldName, value: unknown) =>
  value === null ||
  value === undefined ||
  (Array.isArray(value) && value.length === 0) ||
  (Object.hasOwn(UNSET, name) && UNSET[name] === value);

/** The fields that are set: absence is what null and [] say in requests. */
export const contentOf = (recipe: Recipe | RecipeRevision): JsonObject => onlySet({ ...recipe });

export function onlySet(fields: JsonObject): JsonObject {
  const set = FIELDS.filter(isField).filter((name) => !isUnset(name, fields[name]));
  return objectWithoutNull(Object.fromEntries(set.map((name) => [name, fields[name]])));
}

/** The body of a change: whole fields, null for those that the patch took away. */
export function changeBody(content: JsonObject, patch: JsonObject): JsonObject {
  const changed = Object.keys(patch).filter(isField);
  return Object.fromEntries(
    changed.map((name) => [name, content[name] ?? (name === 'is_active' ? UNSET.is_active : null)]),
  );
}
