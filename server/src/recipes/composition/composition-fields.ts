import { isUuid } from '../../platform/contract/formats.ts';
import { isJsonObject, type JsonObject } from '../../platform/json/json-object.ts';

/** What a resolved field of each kind holds. */
interface ValueOfKind {
  string: string | null;
  uuid: string | null;
  object: JsonObject | null;
  array: unknown[];
  sidecars: unknown[];
}

export type FieldKind = keyof ValueOfKind;

/** The fields of a recipe (specification 2.1) that make up an agent's configuration; all others describe the recipe. */
export const CONFIGURATION_FIELDS = [
  { name: 'system_prompt', kind: 'string' },
  { name: 'manifest_id', kind: 'string' },
  { name: 'onboarding_flow_id', kind: 'uuid' },
  { name: 'rules_template_id', kind: 'uuid' },
  { name: 'approval_rules', kind: 'object' },
  { name: 'channel_config', kind: 'object' },
  { name: 'compliance_config', kind: 'object' },
  { name: 'data_access', kind: 'object' },
  { name: 'model_policy', kind: 'object' },
  { name: 'module_config', kind: 'object' },
  { name: 'voice_config', kind: 'object' },
  { name: 'channel_types', kind: 'array' },
  { name: 'connection_requirements', kind: 'array' },
  { name: 'mcp_servers', kind: 'array' },
  { name: 'skills', kind: 'array' },
  { name: 'workflow_slugs', kind: 'array' },
  { name: 'sidecars', kind: 'sidecars' },
  { name: 'trigger_templates', kind: 'array' },
] as const satisfies readonly { name: string; kind: FieldKind }[];

type Field = (typeof CONFIGURATION_FIELDS)[number];

export type ConfigurationField = Field['name'];

/** A whole configuration, every field present: `{ system_prompt: string | null, …, skills: unknown[], … }`. */
export type AgentConfiguration = { [F in Field as F['name']]: ValueOfKind[F['kind']] };

interface KindRule {
  expected: string;
  unset: 'null' | 'empty array';
  accepts: (value: unknown) => boolean;
}

const KIND_RULES: Readonly<Record<FieldKind, KindRule>> = {
  string: { expected: 'a string', unset: 'null', accepts: (value) => typeof value === 'string' },
  uuid: {
    expected: 'a UUID',
    unset: 'null',
    accepts: (value) => typeof value === 'string' && isUuid(value),
  },
  object: { expected: 'an object', unset: 'null', accepts: isJsonObject },
  array: { expected: 'an array', unset: 'empty array', accepts: Array.isArray },
  sidecars: { expected: 'an array', unset: 'empty array', accepts: Array.isArray },
};

/** The value of a field that nobody set, or that an override removed. */
export function unsetValue(kind: FieldKind): null | unknown[] {
  return KIND_RULES[kind].unset === 'null' ? null : [];
}

/** What a value of this kind must be, in words ("an array"), when `value` is not it; null does not belong here. */
export function expectedInstead(kind: FieldKind, value: unknown): string | undefined {
  const rule = KIND_RULES[kind];
  return rule.accepts(value) ? undefined : rule.expected;
}
